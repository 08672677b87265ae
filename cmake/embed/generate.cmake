# cmake -Dlist=LIST [-Dvalues=PROGRAM [-Demulator=PROGRAM]] -P generate.cmake: writes the .cpp of one plimsoll_embed_files(), see EmbedFiles.cmake.

cmake_minimum_required(VERSION 3.25)
include("${list}")
include("${CMAKE_CURRENT_LIST_DIR}/objects.cmake")

set(chunk_size 12000)    # characters in one literal; adjacent literals join. Compilers may stop at 16 kB.

# A text as it is embedded: JSON without the spaces at the beginning of its lines, which are for people. Its strings have no line ends.
function(read_text path variable)
  file(READ "${path}" text)
  if(path MATCHES "\\.json$")
    string(REGEX REPLACE "\n +" "\n" text "${text}")
    if(without OR only)
      chosen_members("${text}" text)
    elseif(columns)
      table_of("${path}" "${text}" text)
    endif()
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Text as raw string literals, cut at line ends: a character of several bytes must not be cut in two.
function(text_literal rest variable)
  set(literal "")
  string(LENGTH "${rest}" length)
  while(length GREATER chunk_size)
    string(SUBSTRING "${rest}" 0 ${chunk_size} chunk)
    string(FIND "${chunk}" "\n" cut REVERSE)
    if(cut LESS 0)
      string(FIND "${rest}" "\n" cut)    # one very long line
      if(cut LESS 0)
        break()
      endif()
    endif()
    math(EXPR cut "${cut} + 1")
    string(SUBSTRING "${rest}" 0 ${cut} chunk)
    string(SUBSTRING "${rest}" ${cut} -1 rest)
    string(APPEND literal "R\"plimsoll(${chunk})plimsoll\"\n")
    string(LENGTH "${rest}" length)
  endwhile()
  set(${variable} "${literal}R\"plimsoll(${rest})plimsoll\"" PARENT_SCOPE)
endfunction()

# Anything else as hexadecimal escapes, 64 bytes to a line.
function(binary_literal path variable)
  file(READ "${path}" hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${hex}")
  string(REPEAT "...." 64 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n\"" escaped "${escaped}")
  set(${variable} "\"${escaped}\"" PARENT_SCOPE)
endfunction()

# Text is what has one of these suffixes and arrives whole: file(READ) drops carriage returns, and so do compilers.
function(is_text path size variable)
  set(suffixes .json .txt .md .csv .html .css .js .svg)
  cmake_path(GET path EXTENSION LAST_ONLY suffix)
  set(length -1)
  if(suffix IN_LIST suffixes)
    file(READ "${path}" content)
    string(LENGTH "${content}" length)
  endif()
  if(length EQUAL size)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# JSON as `values` leaves it: how many bytes, and the literal.
function(read_values entries)
  set(files "")
  set(index 0)
  file(MAKE_DIRECTORY "${output}.values")
  foreach(entry IN LISTS entries)
    string(REGEX REPLACE "^[^=]+=" "" path "${entry}")
    read_text("${path}" content)
    file(WRITE "${output}.values/${index}" "${content}")
    list(APPEND files "${output}.values/${index}")
    math(EXPR index "${index} + 1")
  endforeach()
  execute_process(COMMAND ${emulator} "${values}" ${files} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(values)
  read_values("${entries}")
endif()

if(member)
  include("${CMAKE_CURRENT_LIST_DIR}/members.cmake")
  return()
endif()

set(data "")
set(bytes "found->bytes")
if(apart)
  string(APPEND bytes "()")
endif()
set(table "")
set(index 0)
foreach(entry IN LISTS entries)
  string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
  set(name "${CMAKE_MATCH_1}")
  set(path "${CMAKE_MATCH_2}")
  file(SIZE "${path}" size)
  is_text("${path}" ${size} text)
  if(values)
    file(READ "${output}.values/${index}.literal" literal)
    string(REGEX MATCH "^[0-9]+" size "${literal}")
    string(REGEX REPLACE "^[0-9]+\n" "" literal "${literal}")
  elseif(text)
    read_text("${path}" content)
    string(LENGTH "${content}" size)
    text_literal("${content}" literal)
  else()
    binary_literal("${path}" literal)
  endif()
  string(APPEND data
    "constexpr char file_${index}[] =\n${literal};\n"
    "static_assert(sizeof file_${index} == ${size} + 1, \"${name} was not embedded whole\");\n\n")
  if(apart)
    string(APPEND data "std::string_view bytes_${index}() noexcept { return {file_${index}, ${size}}; }\n\n")
    string(APPEND table "    {\"${name}\", bytes_${index}},\n")
  else()
    string(APPEND table "    {\"${name}\", {file_${index}, ${size}}},\n")
  endif()
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE "${output}" "// Written by plimsoll_embed_files(); the files themselves are the source.
#include \"${header}\"

#include <algorithm>

namespace ${namespace} {
namespace {

// The last one is nobody's: the end of the others is no other constant's beginning (split/data.mjs).
${data}constexpr File table[] = {
${table}    {}};

}  // namespace

std::span<const File> files() noexcept { return {table, file_count}; }

std::string_view file(std::string_view name) noexcept {
  const auto found = std::lower_bound(table, table + file_count, name, [](const File& f, std::string_view wanted) { return f.name < wanted; });
  return found != table + file_count && found->name == name ? ${bytes} : std::string_view{};
}

}  // namespace ${namespace}
")
