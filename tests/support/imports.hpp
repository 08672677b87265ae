#pragma once
// Texts as they are imported by the catalogue of the tests.

#include "plimsoll/files/import.hpp"
#include "scenarios.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

inline io::ImportedText import(const std::string& text, const io::ImportAnswers& answers = {}) {
  const std::vector<io::ImportText> texts{{text, ""}};
  return io::import_texts(catalog(), texts, answers);
}

/// An input of the question that was made; "" where it has none.
inline std::string field(const io::ImportedText& imported, std::string_view name) {
  const std::string* const text = imported.request.find(name);
  return text == nullptr ? "" : *text;
}

} // namespace plimsoll::test
