#' transelect: sparse models that borrow from other data and models
#'
#' Sparse, interpretable models for a small target data set that borrow from other domains, from published estimates,
#' or from models trained elsewhere. Every fitter takes a formula, a matrix, a sparse matrix or a data frame and
#' returns one kind of path object ([transfer_path]), with `print`, `summary`, `coef`, `predict`, `plot` and tidiers;
#' [cv_path()] cross-validates any of them.
#'
#' `vignette("which-function")` answers each question below with a few commands and a picture;
#' `vignette("glossary")` explains the terms.
#'
#' * Which few variables explain this one data set?
#'   [tlcp()]
#' * I have few rows, and others have similar data. May I borrow (multi-site, federated)?
#'   [dissimilarity()], then [tlcp()] with `domain` and `target`
#' * Will the model predict well at a place that I have no data from?
#'   [tgreedy()]
#' * I have models trained elsewhere, and a few rows with a known response. Do the models help?
#'   [greedytl()]
#' * How few columns tell these classes apart?
#'   [shareboost()]
#' * A few effects are strong, many are weak. Which effects do I report, and which model do I use for predictions?
#'   [msplit()], [signals()]
#' * Can a class be recognised without an example of it?
#'   [zero_shot()]
#' * The rows may not leave their site, or do not fit into memory.
#'   [moments()]
#' * How accurate is my model on new data?
#'   [cv_path()], [compare_paths()], [selection_frequency()], [assess()]
#'
#' @section Options: **Threads.** With `options(transelect.threads = 2)` passes over the columns use two threads. The
#' default is one thread. Passes over fewer than 100,000 numbers, and forked processes (`parallel::mclapply()`,
#' `future::multicore`), always use one. Results are the same to the last bit for any number of threads.
#'
#' **Progress.** Long computations (exact searches, paths, folds, leave-one-out errors, moments) report their progress.
#' If the package progressr is loaded, they report to it, and `progressr::with_progress()` shows the progress. Otherwise
#' an interactive session shows a progress bar after two seconds, with an estimate of the remaining time if the end is
#' known. For an exact search the bar shows the share of `max_seconds` that has passed. `options(transelect.progress =
#' FALSE)` shows no bar; `TRUE` shows it in sessions that are not interactive, too.
#'
#' @references
#' Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#' feature selection. *Journal of Machine Learning Research* 23.
#' \doi{10.48550/arXiv.2107.02847}
#'
#' Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small sample
#' statistical approach. *AISTATS*, PMLR 22, 960-968.
#' <https://proceedings.mlr.press/v22/foster12.html>
#'
#' Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer
#' learning. *Computer Vision and Image Understanding* 156, 174-185.
#' \doi{10.1016/j.cviu.2016.09.003}
#'
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24.
#' \doi{10.48550/arXiv.1109.0820}
#'
#' Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI: realizing feature selection
#' and dense estimation simultaneously in few-shot and zero-shot learning. *ICML*, PMLR 80,
#' 5912-5921. \doi{10.48550/arXiv.1806.04360}
#'
#' @useDynLib transelect, .registration = TRUE, .fixes = "C_"
#' @importFrom rlang .data %||%
#' @importClassesFrom Matrix dgCMatrix
#' @importFrom methods is new
#' @importFrom stats coef deviance df.residual family fitted formula logLik nobs predict residuals
#' @importFrom stats sigma update variable.names
#' @keywords internal
"_PACKAGE"
