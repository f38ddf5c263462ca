# Small helpers that belong to no noun, and the hooks of the package.

# What a saved call or formula keeps: words, not data.

# The call names the generic, so that update() works.
light_call <- function(call, generic) {
  call[[1]] <- as.name(generic)
  for (k in seq_along(call)[-1]) {
    it <- call[[k]]
    if (inherits(it, "formula")) {
      attributes(it) <- NULL
      call[[k]] <- it
    } else if (!is.language(it) && length(it) > 20 || is.list(it) || is.function(it)) {
      call[[k]] <- as.name(paste0("<", class(it)[1], ">"))
    }
  }
  call
}

light_formula <- function(formula) {
  environment(formula) <- globalenv()
  formula
}

.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip")) {
    register_engines()
  } else {
    setHook(packageEvent("parsnip", "onLoad"), function(...) register_engines())
  }
}

.onUnload <- function(libpath) {
  library.dynam.unload("transelect", libpath)
}

# See arguments.R: what the methods for frames take, those for formulas and data take too.
for (fitter in c("greedytl", "tgreedy", "tlcp", "msplit", "shareboost", "dissimilarity")) {
  for (method in paste0(fitter, c(".default", ".formula"))) {
    assign(method, with_arguments_of(get(paste0(fitter, ".transfer_frame")), get(method)))
  }
}
rm(fitter, method)
