# The hooks of the package.

.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip")) {
    parsnip_register_engines()
  } else {
    setHook(packageEvent("parsnip", "onLoad"), function(...) parsnip_register_engines())
  }
}

.onUnload <- function(libpath) {
  library.dynam.unload("transelect", libpath)
}

# The methods for formulas and data take the arguments of those for frames too, see arguments_methods_fit_frame() in
# check.R.
for (method in grep("[.](default|formula)$", ls(topenv()), value = TRUE)) {
  if ("arguments_methods_fit_frame" %in% all.names(body(get(method)))) {
    assign(method, arguments_methods_with_those_of(sub("[.][a-z]+$", "", method), get(method)))
  }
}
rm(method)
