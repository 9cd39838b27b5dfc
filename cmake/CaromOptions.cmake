# Compiler settings for our own code; `carom_options` is linked privately, so that users of the
# installed library do not inherit our warnings.
add_library(carom_options INTERFACE)
target_compile_options(carom_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wimplicit-fallthrough $<$<CXX_COMPILER_ID:GNU>:-Wunused-const-variable=1> -Werror
  -ffp-contract=off -fno-fast-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(carom_options INTERFACE -Wno-restrict)  # wrong about string + string, GCC bug 105651
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(carom_options INTERFACE -Wno-error)  # it builds the fuzzers; GCC judges warnings
endif()
if(CAROM_NATIVE)
  target_compile_options(carom_options INTERFACE -march=native)
endif()
if(CAROM_SANITIZE)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)  # empty optionals, indices out of range
  add_compile_options(-fsanitize=${CAROM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CAROM_SANITIZE})
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1")  # the build type of the asan and tsan presets

find_program(CAROM_CCACHE ccache)
if(CAROM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CAROM_CCACHE})
endif()
