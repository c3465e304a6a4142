# routec_add_router(<target> MANIFEST <file>
#   [NAMESPACE <name>]     in place of the manifest's
#   [OUTPUT_DIR <folder>]  default: a folder named after the target in the build tree
#   [TEMPLATES <folder>]   templates that stand in for routec's own of the same name
#   [PARTS <count>]        source files among which routes are shared out; default: by the manifest's
#                          size when CMake runs
#   [OPTIONS <option>...]  more options for routec, such as -Werror
# )
#
# Makes a library <target> from the manifest, linked to routec::router. It is generated again when
# the manifest, a template, or routec itself changes.
#
# Cache variables: ROUTEC_EXECUTABLE is the routec to run (needed when cross compiling), ROUTEC_PYTHON
# the interpreter that has jinja2, ROUTEC_GPERF the gperf.
include_guard(GLOBAL)

set(ROUTEC_EXECUTABLE "" CACHE FILEPATH "The routec to run; empty: the one of this build or package")

function(routec_add_router target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST;NAMESPACE;OUTPUT_DIR;TEMPLATES;PARTS" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "routec_add_router(${target}): unknown or empty arguments: "
      "${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_MANIFEST)
    message(FATAL_ERROR "routec_add_router(${target}): MANIFEST is missing")
  endif()
  cmake_path(ABSOLUTE_PATH arg_MANIFEST BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT EXISTS "${arg_MANIFEST}")
    message(FATAL_ERROR "routec_add_router(${target}): there is no ${arg_MANIFEST}")
  endif()
  if(NOT arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR ${target})
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_DIR BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)

  _routec_find_tools(routec)
  _routec_count_parts("${arg_MANIFEST}" "${arg_PARTS}" parts)
  _routec_output_names("${arg_MANIFEST}" "${arg_OUTPUT_DIR}" ${parts} files)
  set(options --python "${ROUTEC_PYTHON}" --gperf "${ROUTEC_GPERF}" --parts ${parts})
  if(arg_NAMESPACE)
    list(APPEND options --namespace ${arg_NAMESPACE})
  endif()
  if(arg_TEMPLATES)
    cmake_path(ABSOLUTE_PATH arg_TEMPLATES BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT IS_DIRECTORY "${arg_TEMPLATES}")
      message(FATAL_ERROR "routec_add_router(${target}): there is no folder ${arg_TEMPLATES}")
    endif()
    list(APPEND options --templates "${arg_TEMPLATES}")
  endif()

  # The stamp is touched by every run, the files only when they change: so what depends on them is
  # built again only then, and a run that changes none is not repeated.
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}.stamp")
  set(depfile "${CMAKE_CURRENT_BINARY_DIR}/${target}.d")
  set(depends "${arg_MANIFEST}" ${routec})
  if(arg_TEMPLATES)
    # No depfile names a template that is still to come, and one that comes may be older than the
    # stamp: the list of their names is what has changed.
    file(GLOB templates CONFIGURE_DEPENDS "${arg_TEMPLATES}/*.jinja")
    set(list_of_templates "${CMAKE_CURRENT_BINARY_DIR}/${target}.templates")
    file(CONFIGURE OUTPUT "${list_of_templates}" CONTENT "${templates}\n" @ONLY)
    list(APPEND depends ${templates} "${list_of_templates}")
  endif()
  set(depfile_option DEPFILE "${depfile}")
  if(CMAKE_GENERATOR MATCHES "Ninja" AND "${arg_MANIFEST}${CMAKE_BINARY_DIR}${arg_TEMPLATES}${ROUTEC_EXECUTABLE}${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
      MATCHES "[&'\"*<>|^`?]")
    # Ninja takes such characters in a depfile for spaces, and would run the command every time.
    set(depfile_option "")
  endif()
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${files}
    COMMAND ${routec} "${arg_MANIFEST}" -o "${arg_OUTPUT_DIR}"
      --depfile "${depfile}" --stamp "${stamp}" --quiet ${options} ${arg_OPTIONS}
    DEPENDS ${depends}
    ${depfile_option}
    COMMENT "Compiling the routes of ${target}"
    VERBATIM)
  add_custom_target(${target}_routes DEPENDS "${stamp}")

  add_library(${target} STATIC ${files})
  add_dependencies(${target} ${target}_routes)
  set_source_files_properties(${files} PROPERTIES GENERATED TRUE)
  target_include_directories(${target} PUBLIC "${arg_OUTPUT_DIR}")
  target_link_libraries(${target} PUBLIC routec::router)
endfunction()

# Sets <routec> to what runs: a program or a target. Finds the other programs, once.
function(_routec_find_tools routec)
  if(ROUTEC_EXECUTABLE)
    set(${routec} "${ROUTEC_EXECUTABLE}" PARENT_SCOPE)
  elseif(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(FATAL_ERROR "routec runs on the build machine: set ROUTEC_EXECUTABLE to a routec built for it")
  else()
    set(${routec} routec::routec PARENT_SCOPE)
  endif()
  find_program(ROUTEC_GPERF gperf DOC "The gperf that routec runs")
  if(NOT ROUTEC_GPERF)
    message(FATAL_ERROR "routec needs gperf (Debian: apt install gperf), or ROUTEC_GPERF to be set")
  endif()
  _routec_find_python()
endfunction()

# The first interpreter that has jinja2: several may be installed, of which only one has it.
function(_routec_find_python)
  if(_ROUTEC_PYTHON_CHECKED AND _ROUTEC_PYTHON_CHECKED STREQUAL "${ROUTEC_PYTHON}")
    return()
  endif()
  if(ROUTEC_PYTHON)
    set(candidates "${ROUTEC_PYTHON}")
  else()
    find_program(_routec_python_in_path python3 NO_CACHE)
    set(candidates ${Python3_EXECUTABLE} ${_routec_python_in_path} /usr/bin/python3)
    list(REMOVE_DUPLICATES candidates)
  endif()
  set(errors "")
  foreach(candidate IN LISTS candidates)
    execute_process(COMMAND "${candidate}" -c "import jinja2"
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE error)
    if(status EQUAL 0)
      set(ROUTEC_PYTHON "${candidate}" CACHE FILEPATH "The Python that routec runs; it has jinja2")
      set(_ROUTEC_PYTHON_CHECKED "${candidate}" CACHE INTERNAL "")
      return()
    endif()
    string(APPEND errors "\n${candidate}: ${status}\n${error}")
  endforeach()
  message(FATAL_ERROR "routec needs a Python that has jinja2 (Debian: apt install python3-jinja2), "
    "or ROUTEC_PYTHON to be set. Tried:${errors}")
endfunction()

function(_routec_count_parts manifest wanted parts)
  if(wanted)
    set(${parts} ${wanted} PARENT_SCOPE)
    return()
  endif()
  set(octets_per_part 320000)  # about 4,000 routes
  file(SIZE "${manifest}" size)
  math(EXPR count "1 + ${size} / ${octets_per_part}")
  set(${parts} ${count} PARENT_SCOPE)
endfunction()

# The files that routec writes; their names follow from that of the manifest.
function(_routec_output_names manifest folder parts files)
  cmake_path(GET manifest STEM LAST_ONLY stem)
  set(names ${stem}_router.h ${stem}_router.cc)
  if(parts GREATER 1)
    list(APPEND names ${stem}_router_tables.cc)
    foreach(number RANGE 1 ${parts})
      list(APPEND names ${stem}_router_${number}.h ${stem}_router_${number}.cc)
    endforeach()
  endif()
  list(TRANSFORM names PREPEND "${folder}/")
  set(${files} ${names} PARENT_SCOPE)
endfunction()
