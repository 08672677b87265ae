// Prints what `plimsoll estimate --json` prints for the question given.
#include <plimsoll/results/api.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const plimsoll::io::Catalog catalog = plimsoll::io::Catalog::load();
  std::puts(plimsoll::io::estimate_json(plimsoll::io::answer_query(catalog, argv[1])).c_str());
}
