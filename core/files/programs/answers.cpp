// Answers from JSON.
#include "files/training/document.hpp"
#include "plimsoll/files/import.hpp"
#include "text/json.hpp"

#include <utility>

namespace plimsoll::io {

ImportAnswers import_answers_from_json(std::string_view text, Issues& issues) {
  ImportAnswers answers;
  const auto refuse = [&](std::string_view field, std::string message, std::string remedy) {
    issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
  };
  if (text.empty()) return answers;
  const ParsedJson parsed = parse_json(text);
  if (!parsed.ok || !parsed.value.is_object()) return refuse("", "The answers are no JSON object.", "Write {\"gpus\": 8, \"device\": \"h100-80-sxm\", \"set\": {\"MODEL\": \"…\"}}."), answers;
  const auto number = [&](std::string_view field, const Json& value) -> std::int64_t {
    const auto whole = configs::whole_number(configs::plain_text(value));
    constexpr std::int64_t kMost = 100'000'000;
    if (whole && *whole > 0 && *whole <= kMost) return *whole;
    refuse(field, std::string{field} + " is no whole number from 1 on.", "Write a number such as 8.");
    return 0;
  };
  for (const auto& [key, value] : parsed.value.items()) {
    if (value.is_null()) continue;
    if (key == "gpus") answers.gpus = number(key, value);
    else if (key == "context_tokens") answers.context = number(key, value);
    else if (key == "command") answers.command = static_cast<std::size_t>(number(key, value));
    else if (key == "device") answers.device = configs::plain_text(value);
    else if (key == "vocab") answers.vocab = configs::plain_text(value);
    else if (key == "set" && value.is_object())
      for (const auto& [name, setting] : value.items()) answers.variables.emplace_back(name, configs::plain_text(setting));
    else refuse(key, quoted(std::string_view{key}) + " is no answer that is known.", "Write gpus, device, vocab, context_tokens, command or set.");
  }
  return answers;
}

} // namespace plimsoll::io
