// Writes the tables of all models of the catalogue as C++, when the program is built:
//
//   compile_models OUT FILE...
//
// FILEs are those of catalog/data/models; rows stand in the order of the files' names and of the rows in them, as the catalogue counts them.
#include "architectures/import.hpp"
#include "architectures/tables/write.hpp"
#include "text/cpp_literal.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

using namespace plimsoll;

/// The table of a row, or an exit with what its config lacks.
std::string table_of(const io::Json& row) {
  io::ImportedModel imported;
  const std::optional<Architecture> architecture = io::read_architecture(io::dump(row.at("config")), {}, imported);
  if (architecture) return io::write_table(std::move(imported), *architecture);
  std::fprintf(stderr, "%s: %s\n", row.at("id").get<std::string>().c_str(), imported.issues.front().message.c_str());
  std::exit(1);
}

} // namespace

int main(int count, char** given) {
  std::vector<std::string> files{given + std::min(count, 2), given + count};
  std::ranges::sort(files);
  std::string functions, table;
  std::size_t index = 0;
  for (const std::string& name : files) {
    std::ifstream file{name, std::ios::binary};
    const io::ParsedJson parsed = io::parse_json(std::string{std::istreambuf_iterator<char>{file}, {}});
    if (!parsed.ok || !parsed.value.is_array()) return std::fprintf(stderr, "%s: %s\n", name.c_str(), parsed.error.c_str()), 1;
    for (const io::Json& row : parsed.value) {
      const std::string bytes = table_of(row), here = std::to_string(index++);
      functions += "std::string_view table_" + here + "() noexcept {\n  return {" + io::cpp_literal(bytes) + ", " + std::to_string(bytes.size()) + "};\n}\n";
      table += "    table_" + here + ",\n";
    }
  }
  std::ofstream out{given[1], std::ios::binary};
  out << "// Written by core/architectures/tables/compile.cpp; the configs in core/catalog/data/models are the source.\n#include \"catalog/model_tables.hpp\"\n\n"
      << "namespace plimsoll::data {\nnamespace {\n\n"
      << functions << "\nconstexpr ModelTable table[] = {\n" << table << "};\n\n} // namespace\n\nstd::span<const ModelTable> model_tables() noexcept { return table; }\n\n} // namespace plimsoll::data\n";
  return out ? 0 : 1;
}
