# The exact paths, and which of their events keep a dense estimator: a first pass over all nu, and a second pass where
# the first kept too few.

# The exact path of rows or of second moments. input: list(frame, coded, gram), the response as it is coded and, of
# moments and of many rows, their Gram matrix. `points`: for a fold, the points of the path on all rows.
msplit_fit_exact <- function(input, settings, points, call) {
  coded <- input$coded
  paths <- msplit_kernel_run(input, settings, call = call)
  if (!is.null(points)) paths <- msplit_kernel_at_points(paths, points)
  paths$all <- table_stacked(paths$fits)
  best <- msplit_object_best_point(paths$all)
  if (is.matrix(input$frame$y) && is.null(points)) msplit_fit_tell_no_events(paths$all, colnames(coded), settings)
  if (is.null(points) && ncol(coded) == 1 && is.null(settings$record)) {
    paths <- msplit_kernel_more_steps(paths, best, input, settings, call)
  }
  choice <- if (settings$choose != "none" && is.null(points)) {
    msplit_choice(paths, input, settings, call)
  }
  fit <- msplit_object(paths, input, settings, best, choice)
  if (is.null(points)) fit$sums <- msplit_report_sums(fit, paths, input, settings)
  fit
}

# A message about responses of which nothing enters. All responses share the times of the path, and a response of
# larger numbers has its events earlier.
msplit_fit_tell_no_events <- function(all, responses, settings) {
  most <- apply(matrix(all$events, length(responses)), 1, max)
  if (settings$max_steps == 0 || !any(most == 1) || !any(most > 1)) return(invisible())
  tell(paste0("No feature enters for ", words_in_quotes(responses[most == 1]), " within the times of the path."),
       paste("Times are common to all responses and depend on their units: scale the responses, or raise `t_ratio` of",
             "msplit_control()."),
       class = "transelect_message_silent")
}
