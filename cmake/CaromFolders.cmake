# One static library per folder under src/carom, linked along the include layers, so that a folder
# which reaches upwards does not link. All of them together are the installed `carom::carom`.
set_property(GLOBAL PROPERTY CAROM_FOLDERS "")

# With CAROM_UNITY, the sources of a target are compiled in groups that have no name in common.
function(carom_group target)
  if(NOT CAROM_UNITY)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/group_sources 16 ${ARGN}
    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(line ${groups})
    string(REGEX MATCH "^([0-9]+) (.*)$" line ${line})
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
  # A source that is included looks like a header, whose types should not use names of its own.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# With CAROM_UNITY, headers of others are read once for many sources: carom_precompile(target headers…),
# and carom_precompile(target FROM other) for what has been compiled for another target.
function(carom_precompile target)
  if(NOT CAROM_UNITY)
    return()
  endif()
  if(ARGV1 STREQUAL FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
endfunction()

# What most sources read.
set(CAROM_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map>
  <memory> <numbers> <numeric> <optional> <span> <sstream> <string> <string_view> <tuple> <utility>
  <variant> <vector> <Eigen/Cholesky> <Eigen/Core> <Eigen/Eigenvalues> <Eigen/Geometry>)

function(carom_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/carom/${name}/*.cpp)
  if(sources)
    add_library(carom_${name} STATIC ${sources})
    carom_group(carom_${name} ${sources})
    if(ARG_PRECOMPILE)
      carom_precompile(carom_${name} ${ARG_PRECOMPILE})
    elseif(TARGET carom_math)
      carom_precompile(carom_${name} FROM carom_math)
    endif()
    set(scope PUBLIC)
    target_link_libraries(carom_${name} PRIVATE $<BUILD_INTERFACE:carom_options>)
    if(ARG_PRIVATE)
      target_link_libraries(carom_${name} PRIVATE ${ARG_PRIVATE})
    endif()
  else()
    add_library(carom_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(carom_${name} ${scope}
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(carom_${name} ${scope} cxx_std_20)
  foreach(dependency ${ARG_DEPENDS})
    if(TARGET carom_${dependency})
      set(dependency carom_${dependency})
    endif()
    target_link_libraries(carom_${name} ${scope} ${dependency})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY CAROM_FOLDERS carom_${name})
endfunction()

# The public headers: carom/carom.h and all that it includes, one after another, below src.
function(carom_public_headers result)
  set(found carom/carom.h)
  set(left carom/carom.h)
  while(left)
    list(POP_FRONT left header)
    file(STRINGS ${CMAKE_SOURCE_DIR}/src/${header} lines REGEX "^#include \"carom/")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include \"(.*)\".*$" "\\1" included "${line}")
      if(NOT included IN_LIST found)
        list(APPEND found ${included})
        list(APPEND left ${included})
      endif()
    endforeach()
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# The whole house as one target, and its installation: `find_package(carom)` gives `carom::carom`.
function(carom_library)
  include(CMakePackageConfigHelpers)
  get_property(folders GLOBAL PROPERTY CAROM_FOLDERS)
  add_library(carom_all INTERFACE)
  target_link_libraries(carom_all INTERFACE ${folders})
  set_target_properties(carom_all PROPERTIES EXPORT_NAME carom)
  add_library(carom::carom ALIAS carom_all)

  install(TARGETS carom_all ${folders} EXPORT caromTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  carom_public_headers(headers)
  foreach(header ${headers})
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${CMAKE_SOURCE_DIR}/src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endforeach()
  set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
  install(EXPORT caromTargets NAMESPACE carom:: DESTINATION ${destination})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/caromConfig.cmake.in
    ${CMAKE_BINARY_DIR}/caromConfig.cmake INSTALL_DESTINATION ${destination})
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/caromConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/caromConfig.cmake ${CMAKE_BINARY_DIR}/caromConfigVersion.cmake
    ${CMAKE_SOURCE_DIR}/cmake/FindClp.cmake
    DESTINATION ${destination})
endfunction()
