# Writes the .cpp of one plimsoll_embed_files() with a MEMBER, for generate.cmake.

set(columns "${member}")
set(functions "")
set(table "")
set(index 0)
foreach(entry IN LISTS entries)
  string(REGEX REPLACE "^[^=]+=" "" path "${entry}")
  read_text("${path}" rows)
  string(FIND "${rows}" "\t\n" end)
  while(end GREATER_EQUAL 0)
    string(SUBSTRING "${rows}" 0 ${end} row)
    math(EXPR end "${end} + 2")
    string(SUBSTRING "${rows}" ${end} -1 rows)
    text_literal("${row}" literal)
    string(APPEND functions "const char* member_${index}() noexcept {\n  return ${literal};\n}\n")
    string(APPEND table "    member_${index},\n")
    math(EXPR index "${index} + 1")
    string(FIND "${rows}" "\t\n" end)
  endwhile()
endforeach()

file(WRITE "${output}" "// Written by plimsoll_embed_files(); the files themselves are the source.
#include \"${header}\"

namespace ${namespace} {
namespace {

${functions}
constexpr Member table[] = {
${table}};

}  // namespace

std::span<const Member> members() noexcept { return table; }

}  // namespace ${namespace}
")
