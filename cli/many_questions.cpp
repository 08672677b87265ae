#include "many_questions.hpp"

#include "plimsoll/request/request_text.hpp"

#include <iostream>
#include <utility>

namespace plimsoll::cli {

std::vector<ReadQuestion> SweptQuestions::next(std::size_t count) {
  std::vector<ReadQuestion> some;
  for (; some.size() < count && at_ < sweep_.count; ++at_) {
    ReadQuestion one{sweep_.at(at_), {}, {}};
    for (const io::SweepAxis& axis : sweep_.axes) one.inputs.push_back({axis.field, *one.request.find(axis.field)});
    some.push_back(std::move(one));
  }
  return some;
}

std::vector<std::string> SweptQuestions::input_names() const {
  std::vector<std::string> names;
  for (const io::SweepAxis& axis : sweep_.axes) names.push_back(axis.field);
  return names;
}

QuestionsOfLines::QuestionsOfLines(const std::string& path, io::Request besides, Issues& issues) : besides_(std::move(besides)) {
  if (path != "-") file_.open(path, std::ios::binary);
  in_ = path == "-" ? &std::cin : &file_;
  if (path != "-" && !file_) issues.push_back({Severity::error, "each", "The file " + path + " cannot be read.", "Give a file with a question in each line, or - for standard input."});
}

bool QuestionsOfLines::next_line(std::string& line) {
  while (std::getline(*in_, line)) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) return true;
  }
  return false;
}

std::vector<ReadQuestion> QuestionsOfLines::next(std::size_t count) {
  std::vector<ReadQuestion> some;
  std::string line;
  while (some.size() < count && next_line(line)) {
    ReadQuestion one;
    const bool is_json = line.find_first_not_of(' ') < line.size() && line[line.find_first_not_of(' ')] == '{';
    one.request = io::request_from_text(line, is_json, one.issues);
    for (const io::Entry& entry : besides_.entries())
      if (one.request.find(entry.name) == nullptr) one.request.set(entry.name, entry.text);
    some.push_back(std::move(one));
  }
  return some;
}

void QuestionsOfLines::skip(std::uint64_t count) {
  std::string line;
  while (count-- > 0 && next_line(line)) {}
}

} // namespace plimsoll::cli
