// The functions of plimsoll/results/api.hpp for JavaScript: text in, text out, nothing to delete, nothing thrown. plimsoll.mjs turns
// them into functions over plain objects.

#include "plimsoll/answer/costs.hpp"
#include "plimsoll/answer/model_change.hpp"
#include "plimsoll/catalog/given_file.hpp"
#include "plimsoll/catalog/search.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/compare.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/sensitivity.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/request/request_text.hpp"
#include "plimsoll/results/api.hpp"
#include "plimsoll/results/result_file.hpp"

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

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

/// `devices` are the user's own, "" for none.
io::Answer answer_to(const std::string& input, bool is_json, const std::string& devices) {
  return devices.empty() ? answer_to(input, is_json) : io::answer_with_devices(catalog(), input, is_json, devices);
}

/// Whether an answer to the input needs the readers of configs, which come with the readers of files.
bool reads_config(const std::string& input, bool is_json) noexcept {
  try {
    Issues issues;
    return io::reads_config(io::request_from_text(input, is_json, issues));
  } catch (...) { // the answer then says so
    return false;
  }
}

std::string estimate_text(const std::string& input, bool is_json, const std::string& devices) {
  return guarded([&] { return io::estimate_json(answer_to(input, is_json, devices)); });
}

std::string explain_text(const std::string& input, bool is_json, const std::string& devices, bool readings) {
  return guarded([&] { return io::explain_json(catalog(), answer_to(input, is_json, devices), readings); });
}

std::string prices_text(const std::string& today) {
  return guarded([&] { return io::prices_json(io::Prices::load(catalog()), today); });
}

std::string cost_text(const std::string& question, bool is_json, const std::string& prices, const std::string& devices, const std::string& today) {
  return guarded([&] { return io::cost_json(catalog(), {question, is_json, prices, devices, today}); });
}

std::string validate_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::validate_json(answer_to(input, is_json)); });
}

std::string solve_text(const std::string& input, bool is_json, const std::string& goal, const std::string& field) {
  return guarded([&] { return io::solve_json(catalog(), input, is_json, goal, field); });
}

std::string advise_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::advice_json(catalog(), input, is_json); });
}

std::string sensitivity_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::sensitivity_json(catalog(), input, is_json); });
}

/// `first_token_ms` and `per_token_ms` are limits on what nine of ten requests wait, 0 for none.
std::string load_text(const std::string& text, bool is_json, double first_token_ms, double per_token_ms, bool splits) {
  return guarded([&] { return io::load_json(catalog(), io::Prices::load(catalog()), text, is_json, {static_cast<std::int64_t>(first_token_ms), static_cast<std::int64_t>(per_token_ms), splits}); });
}

std::string serving_plan_text(const std::string& question, bool is_json, const std::string& prices) {
  return guarded([&] { return io::serving_plan_json(catalog(), question, is_json, prices); });
}

/// A search in steps; whoever made it deletes it.
class PlanSearch {
public:
  PlanSearch(const std::string& question, bool is_json, const std::string& prices) noexcept {
    try {
      texts_.emplace(catalog(), question, is_json, prices);
    } catch (...) { // answer() then says so
    }
  }
  bool advance(double strategies) noexcept {
    try {
      return texts_ && texts_->advance(static_cast<std::int64_t>(strategies));
    } catch (...) {
      return texts_.reset(), false;
    }
  }
  std::string progress() const noexcept {
    return guarded([&] { return texts_.value().progress_json(); });
  }
  std::string answer() const noexcept {
    return guarded([&] { return texts_.value().answer_json(); });
  }

private:
  std::optional<io::PlanTexts> texts_;
};

std::string export_text(const std::string& input, bool is_json, const std::string& engine) {
  return guarded([&] { return io::export_json(io::export_scenario(catalog(), answer_to(input, is_json), engine)); });
}

std::string import_config_text(const std::string& text) {
  return guarded([&] { return io::import_config_json(text); });
}

/// JavaScript's numbers hold every size that a file can have. Bytes come as a Uint8Array, which arrives as a std::string.
std::uint64_t size_of(double size) { return size > 0 ? static_cast<std::uint64_t>(size) : 0; }

/// {enough, bytes}: how many bytes of a file to read before import_file.
emscripten::val header_need(const std::string& first_bytes, double file_size) {
  emscripten::val need = emscripten::val::object();
  bool enough = true;
  double bytes = 0;
  try {
    const io::HeaderNeed needed = io::header_bytes_needed(first_bytes, size_of(file_size));
    enough = needed.enough;
    bytes = static_cast<double>(needed.bytes);
  } catch (...) { // import_file then says what is wrong
  }
  need.set("enough", enough);
  need.set("bytes", bytes);
  return need;
}

std::string import_file_text(const std::string& bytes, double file_size, const std::string& name) {
  return guarded([&] { return io::import_json(bytes, size_of(file_size), name); });
}

/// Files are [{bytes, size, name}], as import_file takes one; answers are JSON.
std::string import_files_text(const emscripten::val& files, const std::string& answers) {
  return guarded([&] {
    const auto count = files["length"].as<unsigned>();
    std::vector<std::string> bytes, names;
    std::vector<double> sizes;
    for (unsigned i = 0; i < count; ++i) {
      bytes.push_back(files[i]["bytes"].as<std::string>());
      names.push_back(files[i]["name"].as<std::string>());
      sizes.push_back(files[i]["size"].as<double>());
    }
    std::vector<io::ImportFile> all;
    for (unsigned i = 0; i < count; ++i) all.push_back({bytes[i], size_of(sizes[i]), names[i]});
    return io::import_files_json(all, answers);
  });
}

std::string search_text(const std::string& field, const std::string& text) {
  return guarded([&] { return io::search_json(catalog(), field, text); });
}

std::string model_change_text(const std::string& input, bool is_json) {
  return guarded([&] { return io::model_change(catalog(), answer_to(input, is_json)); });
}

std::string edit_query_text(const std::string& query, const std::string& name, const std::string& text, bool can_read) {
  return guarded([&] { return io::edit_query(catalog(), query, name, text, can_read); });
}

std::string catalog_text() {
  return guarded([] { return io::catalog_json(catalog()); });
}

std::string names_text() {
  return guarded([] { return io::names_json(catalog()); });
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

/// Amounts that are rounded to three figures may be beyond 2^53, and are cut where 64 bits end.
std::int64_t whole(double amount) {
  constexpr double kMost = 9.2e18;
  return static_cast<std::int64_t>(amount > kMost ? kMost : amount < -kMost ? -kMost : amount);
}

std::string format_amount_text(double amount, const std::string& unit) {
  return guarded([&] { return format_amount(whole(amount), unit); });
}

bool choose_byte_units(const std::string& name) {
  const std::optional<ByteUnits> units = byte_units_named(name);
  if (units) set_byte_units(*units);
  return units.has_value();
}

std::string format_amounts_text(double low, double high, const std::string& unit) {
  return guarded([&] { return format_amounts(whole(low), whole(high), unit); });
}

std::string given_file_text(const std::string& text, const std::string& devices) {
  return guarded([&] { return io::given_file_json(catalog(), text, devices); });
}

/// {name, type, text}: text "" for an answer with errors or an unknown format.
emscripten::val result_file_of(const std::string& input, bool is_json, const std::string& format, const std::string& devices) {
  emscripten::val file = emscripten::val::object();
  std::string name, type, text;
  try {
    const io::Answer answer = answer_to(input, is_json, devices);
    if (const auto known = io::result_format(format)) {
      const io::ResultFormatText& words = io::text_of(*known);
      name = io::result_file_name(answer, words.ending);
      type = words.type;
      text = io::result_file(catalog(), answer, *known);
    }
  } catch (...) { // as an unknown format
  }
  file.set("name", name);
  file.set("type", type);
  file.set("text", text);
  return file;
}

/// A question on each line, which ends with a line feed.
std::string compare_text(const std::string& lines, const std::string& devices) {
  return guarded([&] {
    std::vector<std::string> queries;
    for (std::size_t begin = 0; begin < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      queries.push_back(lines.substr(begin, end - begin));
      begin = end + 1;
    }
    return io::compare_json(catalog(), queries, devices);
  });
}

std::string version_text() { return std::string(io::version()); }

} // namespace

/// What a page shows while the rest of the module is on its way: headline_json of a query. It needs few functions,
/// which come first (web/first.txt), and no script: plimsoll-parts.mjs. The text is the caller's, to free().
extern "C" EMSCRIPTEN_KEEPALIVE char* first_headline(const char* query, const char* units) {
  return strdup(guarded([&] {
    choose_byte_units(units);
    return io::headline_json(answer_to(query, false));
  }).c_str());
}

EMSCRIPTEN_BINDINGS(plimsoll) {
  using emscripten::function;
  function("reads_config", &reads_config);
  function("estimate", &estimate_text);
  function("explain", &explain_text);
  function("cost", &cost_text);
  function("prices", &prices_text);
  function("validate", &validate_text);
  function("solve", &solve_text);
  function("advise", &advise_text);
  function("sensitivity", &sensitivity_text);
  function("load", &load_text);
  function("serving_plan", &serving_plan_text);
  function("compare", &compare_text);
  emscripten::class_<PlanSearch>("PlanSearch")
      .constructor<std::string, bool, std::string>()
      .function("advance", &PlanSearch::advance)
      .function("progress", &PlanSearch::progress)
      .function("answer", &PlanSearch::answer);
  function("export_command", &export_text);
  function("import_config", &import_config_text);
  function("header_bytes_needed", &header_need);
  function("import_file", &import_file_text);
  function("import_files", &import_files_text);
  function("search", &search_text);
  function("model_change", &model_change_text);
  function("edit_query", &edit_query_text);
  function("catalog", &catalog_text);
  function("names", &names_text);
  function("fields", &fields_text);
  function("format_bytes", &format_bytes_text);
  function("format_exact", &format_exact_text);
  function("format_amount", &format_amount_text);
  function("format_amounts", &format_amounts_text);
  function("set_byte_units", &choose_byte_units);
  function("given_file", &given_file_text);
  function("result_file", &result_file_of);
  function("version", &version_text);
}
