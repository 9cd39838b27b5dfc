# Installs the build into a prefix of its own, builds the program here against it, and runs that.
#   cmake -DBUILD=<build folder> -DCONFIG=<configuration> -P check.cmake
set(prefix ${BUILD}/package/prefix)
set(program ${BUILD}/package/build)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${BUILD}/package RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${BUILD}/package)
file(MAKE_DIRECTORY ${BUILD}/package)
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${program} -G Ninja
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${program})
run(${program}/outside)

# Falling from 10 m for one second: 10 - 9.81 / 2.
if(NOT output STREQUAL "5.095000\n")
  message(FATAL_ERROR "the program printed ${output}")
endif()
