#include "plimsoll/files/questions.hpp"

#include "files/questions_json.hpp"
#include "plimsoll/method/fields.hpp"
#include "request/custom_model.hpp"
#include "text/value.hpp"

namespace plimsoll::io {

namespace {

/// "The vocabulary's size" is known to nobody who has not seen the tokenizer: the words say where it stands.
std::string question_about(const Field& field) {
  if (field.name == "vocab_size") return "How many words has the tokenizer's vocabulary, padded as the program pads it?";
  return "What is the model's " + lower_case(label_of(field)) + "?";
}

} // namespace

std::vector<OpenQuestion> open_questions(const Request& request) {
  std::vector<OpenQuestion> questions;
  const std::string* const model = request.find("model");
  const bool has_config = request.find("config") != nullptr;
  if (model == nullptr && !has_config) questions.push_back({"model", "Which model? The file names none."});
  else if (model != nullptr && model->find('$') != std::string::npos) questions.push_back({"model", "Which model is " + *model + "?"});
  else if (model != nullptr && describes_model(request) && !has_config && request.find("architecture") == nullptr)
    for (const std::string_view size : unstated_sizes(request)) questions.push_back({std::string{size}, question_about(*find_field(size))});
  if (request.find("device") == nullptr) questions.push_back({"device", "Which GPU?"});
  return questions;
}

Json questions_result(const std::vector<OpenQuestion>& questions) {
  Json list = Json::array();
  for (const OpenQuestion& question : questions) {
    Json one{{"field", question.field}, {"question", question.text}, {"answer", question.answer}};
    if (!question.choices.empty()) one["choices"] = question.choices;
    list.push_back(std::move(one));
  }
  return list;
}

Json questions_result(const Request& request) { return questions_result(open_questions(request)); }

} // namespace plimsoll::io
