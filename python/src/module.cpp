// The functions of plimsoll/results/api.hpp for Python: text in, text out, the lock of the interpreter released meanwhile. The package beside
// makes functions over Python's own values of them.

#include "cli/files.hpp"
#include "cli/program.hpp"
#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/sensitivity.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/questions/sweep.hpp"
#include "plimsoll/request/request_text.hpp"
#include "plimsoll/results/api.hpp"
#include "plimsoll/results/result_file.hpp"
#include "plimsoll/results/row.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace plimsoll;
namespace py = pybind11;
using namespace py::literals;
using unlocked = py::call_guard<py::gil_scoped_release>;

/// Read at the first question, not at the import.
const io::Catalog& catalog() {
  static const io::Catalog loaded = io::Catalog::load();
  return loaded;
}

/// A question as text: a query, or a JSON object.
struct Question {
  io::Request request;
  Issues issues;
};
Question read(const std::string& text, bool is_json) {
  Question question;
  question.request = io::request_from_text(text, is_json, question.issues);
  return question;
}

io::Answer answer_to(const std::string& text, bool is_json, const std::string& devices) {
  if (!devices.empty()) return io::answer_with_devices(catalog(), text, is_json, devices);
  return is_json ? io::answer_json(catalog(), text) : io::answer_query(catalog(), text);
}

io::Prices prices_of(const std::string& text, Issues& issues) {
  if (text.empty()) return io::Prices::load(catalog());
  io::ReadPrices read_prices = io::read_prices(catalog(), text);
  std::move(read_prices.issues.begin(), read_prices.issues.end(), std::back_inserter(issues));
  return io::Prices{std::move(read_prices.rows)};
}

std::string estimate_text(const std::string& text, bool is_json, const std::string& devices, const std::string& prices, const std::string& today) {
  io::Answer answer = answer_to(text, is_json, devices);
  if (today.empty()) return io::estimate_json(answer);
  io::add_footprint(answer);
  const io::Prices asked = prices_of(prices, answer.issues);
  io::add_cost(answer, catalog(), asked, today);
  return io::estimate_json(answer);
}

std::string explain_text(const std::string& text, bool is_json, const std::string& devices) {
  return io::explain_json(catalog(), answer_to(text, is_json, devices), true);
}

std::string cost_text(const std::string& text, bool is_json, const std::string& prices, const std::string& devices, const std::string& today, std::size_t most) {
  return io::cost_json(catalog(), {text, is_json, prices, devices, today}, most);
}

std::string load_text(const std::string& text, bool is_json, std::int64_t first_token_ms, std::int64_t per_token_ms, bool splits) {
  return io::load_json(catalog(), io::Prices::load(catalog()), text, is_json, {first_token_ms, per_token_ms, splits});
}

std::string plan_text(const std::string& text, bool is_json, const std::string& prices, unsigned threads) {
  auto [request, issues] = read(text, is_json);
  const io::Prices asked = prices_of(prices, issues);
  if (io::plans_serving(request)) return io::serving_plan_json(io::plan_serving(catalog(), asked, request, std::move(issues)));
  io::PlanSession session{catalog(), asked, request, std::move(issues)};
  session.finish(threads);
  return io::plan_json(session.answer());
}

std::string solve_text(const std::string& text, bool is_json, const std::string& goal, const std::string& field) {
  return io::solve_json(catalog(), text, is_json, goal, field);
}

std::string advise_text(const std::string& text, bool is_json) {
  return io::advice_json(catalog(), text, is_json);
}

std::string sensitivity_text(const std::string& text, bool is_json) {
  return io::sensitivity_json(catalog(), text, is_json);
}

std::string export_command(const std::string& text, bool is_json, const std::string& engine) {
  return io::export_json(io::export_scenario(catalog(), answer_to(text, is_json, ""), engine));
}

std::string result_file(const std::string& text, bool is_json, const std::string& devices, const std::string& format) {
  const auto known = io::result_format(format);
  return known ? io::result_file(catalog(), answer_to(text, is_json, devices), *known) : std::string{};
}

/// (bytes, size of the whole, name) of a file's header.
using File = std::tuple<std::string, std::uint64_t, std::string>;

/// The headers of files or of addresses, as cli::read_starts() has them, and issues as JSON; "" without errors.
std::pair<py::list, std::string> read_starts(const std::vector<std::string>& paths, bool offline) {
  Issues issues;
  std::vector<cli::FileStart> starts;
  {
    const py::gil_scoped_release released;
    starts = cli::read_starts(paths, issues, offline);
  }
  py::list files;
  if (has_errors(issues)) return {files, io::failure_json(issues)};
  for (const cli::FileStart& start : starts) files.append(py::make_tuple(py::bytes(start.bytes), start.size, start.name));
  return {files, ""};
}

std::string import_files(const std::vector<File>& files, const std::string& answers) {
  std::vector<io::ImportFile> all;
  for (const auto& [bytes, size, name] : files) all.push_back({bytes, size, name});
  return io::import_files_json(all, answers);
}

std::string compare_rows(const std::string& rows) { return io::accuracy_json(io::compare(catalog(), rows)); }

std::string row_text(const std::string& text, bool is_json, const std::string& devices, bool by_estimate) {
  io::Answer answer = answer_to(text, is_json, devices);
  return io::row_json(answer, by_estimate ? Judge::estimate : Judge::process);
}

/// The questions of a sweep.
class Sweep {
public:
  explicit Sweep(const std::string& query) {
    Issues issues;
    const io::Request request = io::request_from_query(query, issues);
    sweep_ = io::sweep_of(request, std::move(issues));
  }
  std::string issues() const { return has_errors(sweep_.issues) ? io::failure_json(sweep_.issues) : ""; }
  std::uint64_t count() const { return sweep_.count; }
  std::string at(std::uint64_t index) const {
    if (index >= sweep_.count) throw py::index_error("a sweep of " + std::to_string(sweep_.count) + " questions has none of number " + std::to_string(index));
    return io::to_query(sweep_.at(index));
  }

private:
  io::Sweep sweep_;
};

int run_program(const std::vector<std::string>& words) {
  const int status = cli::run_program(words);
  std::fflush(stdout); // Python ends without C's own clean-up where it is killed
  return status;
}

} // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "Plimsoll's estimator as functions from text to text.";
  module.def("estimate", &estimate_text, "text"_a, "is_json"_a, "devices"_a = "", "prices"_a = "", "today"_a = "", unlocked());
  module.def("explain", &explain_text, "text"_a, "is_json"_a, "devices"_a = "", unlocked());
  module.def("cost", &cost_text, "text"_a, "is_json"_a, "prices"_a, "devices"_a, "today"_a, "most"_a, unlocked());
  module.def("load", &load_text, "text"_a, "is_json"_a, "first_token_ms"_a = 0, "per_token_ms"_a = 0, "splits"_a = false, unlocked());
  module.def("plan", &plan_text, "text"_a, "is_json"_a, "prices"_a = "", "threads"_a = 0, unlocked());
  module.def("solve", &solve_text, "text"_a, "is_json"_a, "goal"_a, "field"_a, unlocked());
  module.def("advise", &advise_text, "text"_a, "is_json"_a, unlocked());
  module.def("sensitivity", &sensitivity_text, "text"_a, "is_json"_a, unlocked());
  module.def("export_command", &export_command, "text"_a, "is_json"_a, "engine"_a, unlocked());
  module.def("result_file", &result_file, "text"_a, "is_json"_a, "devices"_a, "format"_a, unlocked());
  module.def("read_starts", &read_starts, "paths"_a, "offline"_a = false);
  module.def("import_files", &import_files, "files"_a, "answers"_a = "{}", unlocked());
  module.def("compare_rows", &compare_rows, "rows"_a, unlocked());
  module.def("row", &row_text, "text"_a, "is_json"_a, "devices"_a = "", "by_estimate"_a = false, unlocked());
  module.def("catalog", [] { return io::catalog_json(catalog()); }, unlocked());
  module.def("fields", [] { return io::fields_json(catalog()); }, unlocked());
  module.def("prices", [](const std::string& today) { return io::prices_json(io::Prices::load(catalog()), today); }, "today"_a, unlocked());
  module.def("run_program", &run_program, "words"_a, unlocked());
  py::class_<Sweep>(module, "Sweep")
      .def(py::init<const std::string&>(), "query"_a)
      .def("issues", &Sweep::issues)
      .def("__len__", &Sweep::count)
      .def("__getitem__", &Sweep::at, "index"_a);
  module.def("format_bytes", [](std::int64_t amount) { return format_bytes(Bytes{amount}); }, "amount"_a);
  module.attr("__version__") = std::string{io::version()};
}
