# The hooks of the package.

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

# The methods for formulas and data take the arguments of those for frames too, see fit_frame() in check.R.
for (method in grep("[.](default|formula)$", ls(topenv()), value = TRUE)) {
  if ("fit_frame" %in% all.names(body(get(method)))) {
    assign(method, with_arguments_of(sub("[.][a-z]+$", "", method), get(method)))
  }
}
rm(method)

# The names of the arguments of each fitter's method for frames but the first; formals() takes too long for every call.
FITTER_ARGUMENTS <- lapply(mget(grep("[.]transfer_frame$", ls(topenv()), value = TRUE), envir = topenv()),
                           function(method) names(formals(method))[-1])
