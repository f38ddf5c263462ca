#' transelect: sparse models that borrow from sources
#'
#' Sparse, interpretable models for a small target data set that borrow from sources: other
#' domains, other tasks, models trained elsewhere. Every fitter takes a formula, a matrix, a
#' sparse matrix or a data frame and returns one kind of path object ([transfer_path]), with
#' `print`, `summary`, `coef`, `predict`, `plot` and tidiers; [cv_path()] cross-validates any of
#' them.
#'
#' | if you have | and want | use |
#' |---|---|---|
#' | a few labelled rows and models trained elsewhere | which of them to use, with which features | [greedytl()] |
#' | rows of several domains | features that hold in a domain not yet seen | [tgreedy()] |
#' | one data set | the provably best Cp, AIC or BIC subset | [tlcp()] |
#' | a small target and other domains | the same, borrowing as much as they resemble it | [tlcp()], [dissimilarity()] |
#' | many classes, and features that cost | a few that all classes share | [shareboost()] |
#' | a few strong effects among many weak ones | to report the strong and predict with all | [msplit()], [signals()] |
#' | classes without examples, but their attributes | to recognise them | [zero_shot()] |
#' | data in a database, or too many for memory | a path all the same | [moments()], then greedytl(), tgreedy() or tlcp() |
#'
#' @section Options:
#' `options(transelect.threads = 2)` lets the passes over the columns use two threads; the default
#' is one, and passes over fewer than 100,000 numbers use one. Results are the same to the last bit
#' for any number of threads. In a child of a fork, as `parallel::mclapply()` and
#' `future::multicore` make them, one thread runs.
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
#' @importFrom Matrix colSums
#' @importFrom methods is new
#' @importFrom stats coef deviance df.residual family fitted formula logLik nobs predict residuals
#' @importFrom stats sigma update variable.names
#' @keywords internal
"_PACKAGE"
