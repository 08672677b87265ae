#include "evidence/question.hpp"

#include "evidence/row.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/members.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace plimsoll::io::accuracy {

namespace {

/// What an import is told; other answers are inputs of the question.
constexpr std::string_view kAnswers[] = {"gpus", "device", "vocab", "context_tokens", "command", "set"};

bool is_answer(std::string_view key) { return std::ranges::find(kAnswers, key) != std::end(kAnswers); }

Json answers_of(const Json& row) {
  const auto at = row.find("answers");
  return at != row.end() && at->is_object() ? *at : Json::object();
}

ImportAnswers told(const Json& answers, Issues& issues) {
  Json known = Json::object();
  for (const auto& [key, value] : answers.items())
    if (is_answer(key)) known[key] = value;
  return import_answers_from_json(dump(known), issues);
}

/// Inputs stand above what files say: a person who corrects a form has the last word.
void set_inputs(const Json& answers, Request& request, Issues& issues) {
  Json inputs = Json::object();
  for (const auto& [key, value] : answers.items())
    if (!is_answer(key) || find_field(key) != nullptr) inputs[key] = value;
  const Request answered = request_from_json(dump(inputs), issues);
  for (const Entry& entry : answered.entries()) request.set(entry.name, entry.text);
}

std::vector<RowFile> read_files(const Json& row, const RowFiles& files, Issues& issues) {
  std::vector<RowFile> read;
  for (const std::string& path : texts_of(row, "files")) {
    std::optional<RowFile> file = files ? files(path) : std::nullopt;
    if (file) read.push_back(std::move(*file));
    else issues.push_back({Severity::error, "files", "The file " + path + " of the row cannot be read.", "Put it beside the file of rows, or name it by its path from there."});
  }
  if (std::string launch = text_at(row, "launch"); !launch.empty()) {
    const std::size_t size = launch.size();
    read.push_back({.name = "", .bytes = std::move(launch), .size = size});
  }
  return read;
}

} // namespace

bool has_question(const Json& row) { return row.find("query") != row.end() || row.find("files") != row.end() || row.find("launch") != row.end(); }

Question question_of(const Json& row, const RowFiles& files, Issues& issues) {
  Question question;
  if (row.find("query") != row.end()) {
    question.request = request_from_query(text_at(row, "query"), issues);
    return question;
  }
  const Json answers = answers_of(row);
  const std::vector<RowFile> read = read_files(row, files, issues);
  const ImportAnswers answered = told(answers, issues);
  if (has_errors(issues)) return question;
  std::vector<ImportFile> parts;
  for (const RowFile& file : read) parts.push_back({file.bytes, file.size, file.name});
  ImportedText text = import_files(parts, answered);
  if (text.ok || !text.issues.empty()) {
    question.request = std::move(text.request);
    question.assumed = std::move(text.assumed);
    for (const OpenQuestion& open : text.questions)
      if (answers.find(open.field) == answers.end()) question.assumed.push_back("Not told: " + open.text);
    issues.insert(issues.end(), text.issues.begin(), text.issues.end());
  } else if (!read.empty()) { // a model alone
    ModelFile model = read_model_file(read.front().bytes, read.front().size, read.front().name);
    question.request = std::move(model.request);
    issues.insert(issues.end(), model.issues.begin(), model.issues.end());
  }
  set_inputs(answers, question.request, issues);
  return question;
}

} // namespace plimsoll::io::accuracy
