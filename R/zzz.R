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
