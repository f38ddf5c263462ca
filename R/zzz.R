# The hooks of the package.

.onLoad <- function(libname, pkgname) {
  zzz_when_loaded("parsnip", parsnip_register_engines)
  zzz_when_loaded("texreg", reports_tables_register_texreg)
  zzz_when_loaded("marginaleffects", reports_tests_register_marginaleffects)
  zzz_when_loaded("ggeffects", reports_insight_register_ggeffects)
}

# Runs a function when a package is loaded, or at once if it is.
zzz_when_loaded <- function(package, what) {
  if (isNamespaceLoaded(package)) what() else setHook(packageEvent(package, "onLoad"), function(...) what())
}

.onUnload <- function(libpath) {
  library.dynam.unload("transelect", libpath)
}
