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

# The methods for formulas and data take the arguments of those for frames too, see check_arguments() in check.R.
for (fitter in c(METHODS, "dissimilarity")) {
  for (method in paste0(fitter, c(".default", ".formula"))) {
    assign(method, with_arguments_of(get(paste0(fitter, ".transfer_frame")), get(method)))
  }
}
rm(fitter, method)
