# The page of viewer/ as a source of carom_io: its packages are fetched into the build folder, esbuild
# makes one HTML file of it, and that becomes a string. With tests the packages of the type check are
# fetched as well. Without CAROM_VIEWER the string is empty, and `--out run.html` says so.
option(CAROM_VIEWER "Build the viewer's page in; needs node and npm" ON)

function(carom_viewer target)
  set(source ${CMAKE_SOURCE_DIR}/viewer)
  set(build ${CMAKE_BINARY_DIR}/viewer)
  set(page ${build}/viewer_page.cpp)
  if(NOT CAROM_VIEWER)
    file(WRITE ${page} "#include \"carom/io/viewer_page.h\"\n\n"
      "std::string_view carom::io::viewer_page() { return {}; }\n")
    target_sources(${target} PRIVATE ${page})
    return()
  endif()
  find_program(CAROM_NODE node REQUIRED)
  find_program(CAROM_NPM npm REQUIRED)
  set(packages ${build}/node_modules/.package-lock.json)
  set(omit --omit=dev)
  if(CAROM_TESTS)
    set(omit)
  endif()
  add_custom_command(OUTPUT ${packages}
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${build}
    COMMAND ${CAROM_NPM} ci ${omit} --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${source}/package.json ${source}/package-lock.json
    WORKING_DIRECTORY ${build} COMMENT "Fetching the viewer's packages" VERBATIM)
  file(GLOB sources CONFIGURE_DEPENDS ${source}/src/*)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CAROM_NODE} ${source}/bundle.mjs ${page}
    DEPENDS ${sources} ${source}/bundle.mjs ${packages}
    WORKING_DIRECTORY ${build} COMMENT "Bundling viewer/page.html" VERBATIM)
  target_sources(${target} PRIVATE ${page})
endfunction()
