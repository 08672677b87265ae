// The functions of plimsoll/io/api.hpp for JavaScript: text in, text out, nothing to delete, nothing thrown. plimsoll.mjs turns
// them into functions over plain objects.

#include "plimsoll/io/api.hpp"

#include <emscripten/bind.h>

#include <exception>
#include <string>

namespace {

using namespace plimsoll;

const io::Catalog& catalog() {
  static const io::Catalog loaded = io::Catalog::load();
  return loaded;
}

/// An exception that crossed into JavaScript would arrive there as an opaque object. None is expected: this is the last net.
template <class Function>
std::string guarded(Function&& function) noexcept {
  try {
    return function();
  } catch (...) {
    return R"({"ok":false,"issues":[{"severity":"error","field":"","message":"The estimator failed on this input.",)"
           R"("remedy":"Please report the input: this is a defect."}]})";
  }
}

/// How the text of an input is written; plimsoll.mjs knows which one it made.
io::Answer answer_to(const std::string& input, bool is_json) {
  return is_json ? io::answer_json(catalog(), input) : io::answer_query(catalog(), input);
}

std::string estimate_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::estimate_json(answer_to(input, is_json)); });
}

std::string explain_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::explain_json(catalog(), answer_to(input, is_json)); });
}

std::string validate_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::validate_json(answer_to(input, is_json)); });
}

std::string import_config_text(const std::string& text) {
  return guarded([&] { return io::import_config_json(text); });
}

std::string edit_query_text(const std::string& query, const std::string& name, const std::string& text) {
  return guarded([&] { return io::edit_query(catalog(), query, name, text); });
}

std::string catalog_text() {
  return guarded([] { return io::catalog_json(catalog()); });
}

std::string fields_text() {
  return guarded([] { return io::fields_json(catalog()); });
}

/// JavaScript's numbers are exact up to 2^53; plimsoll.mjs lets nothing larger through.
std::string format_bytes_text(double amount) {
  return guarded([&] { return format_bytes(Bytes{static_cast<std::int64_t>(amount)}); });
}

std::string format_exact_text(double amount, const std::string& unit) {
  return guarded([&] { return format_exact(static_cast<std::int64_t>(amount), unit); });
}

std::string version_text() { return std::string(io::version()); }

} // namespace

EMSCRIPTEN_BINDINGS(plimsoll) {
  using emscripten::function;
  function("estimate", &estimate_text);
  function("explain", &explain_text);
  function("validate", &validate_text);
  function("import_config", &import_config_text);
  function("edit_query", &edit_query_text);
  function("catalog", &catalog_text);
  function("fields", &fields_text);
  function("format_bytes", &format_bytes_text);
  function("format_exact", &format_exact_text);
  function("version", &version_text);
}
