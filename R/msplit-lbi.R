# The discrete path of msplit(method = "lbi").

lbi_settings <- function(settings, call) settings

lbi_path <- function(frame, coded, settings, points, call) stop("not yet")
