include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/routecTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/routec.cmake)
