# CivetWeb, the web server of `carom view`. Debian's own CMake package of it asks for a program that
# stands in another Debian package.
include(FindPackageHandleStandardArgs)
find_path(CivetWeb_INCLUDE_DIR civetweb.h)
find_library(CivetWeb_LIBRARY civetweb)
mark_as_advanced(CivetWeb_INCLUDE_DIR CivetWeb_LIBRARY)
find_package_handle_standard_args(CivetWeb REQUIRED_VARS CivetWeb_LIBRARY CivetWeb_INCLUDE_DIR)
if(CivetWeb_FOUND AND NOT TARGET CivetWeb::civetweb)
  add_library(CivetWeb::civetweb UNKNOWN IMPORTED)
  set_target_properties(CivetWeb::civetweb PROPERTIES IMPORTED_LOCATION ${CivetWeb_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CivetWeb_INCLUDE_DIR})
endif()
