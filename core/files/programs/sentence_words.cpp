#include "files/programs/sentence_words.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::programs {

namespace {

constexpr std::string_view kFillers =
    " a an the this that these those my our your on in at of for with and or to up into from than by via as if so then just also plus only still "
    "i we you it me us s re ve ll m is are be am was do does did can could will would should may might must let tell show give say want like need needs have has had got "
    "fit fits run runs running use uses using used work works load loads host hosting how much many what whats which who when where why there whether possible able enough okay ok "
    "memory vram gpu gpus card cards each model models llm llms length x large long big small single per please thanks thank hello hi hey one once scratch "
    "about around roughly approximately approx least most max maximum total all get getting go going make possible really currently now here "
    "server machine box pc workstation rig desktop computer system setup home local locally cluster cloud parameter parameters params weights version "
    "take takes minimum required requirement requirements colab kaggle fast speed throughput embedding embeddings batching tok tokens/s tok/s docker podman container kubernetes k8s linux ubuntu debian nvidia amd intel apple google cuda rocm aws gcp azure runpod lambda ";

/// `list` has a space before and behind each.
bool is_among(std::string_view list, std::string_view word) {
  std::string whole{" "};
  whole.append(word).append(" ");
  return list.find(whole) != std::string_view::npos;
}

/// The name of a model in an address: "Qwen/Qwen3-32B" of Hugging Face's, "qwen3:32b" of Ollama's; the word itself where it is none.
std::string named_at(std::string_view word) {
  std::string_view rest = word;
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) rest.remove_prefix(scheme + 3);
  if (rest.starts_with("www.")) rest.remove_prefix(4);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const auto behind = [&](List hosts, std::size_t parts) -> std::string {
    for (const std::string_view host : hosts) {
      if (!rest.starts_with(host)) continue;
      const std::string_view path = rest.substr(host.size());
      std::size_t end = 0;
      for (std::size_t part = 0; part < parts && end != std::string_view::npos; ++part) end = path.find('/', part == 0 ? 0 : end + 1);
      return std::string{path.substr(0, end)};
    }
    return {};
  };
  if (std::string name = behind({"huggingface.co/", "hf.co/", "modelscope.cn/models/"}, 2); !name.empty()) return name;
  if (std::string name = behind({"ollama.com/library/"}, 1); !name.empty()) return name;
  return std::string{word};
}

/// "two" and "dual" as 2; "one" tells nothing.
std::string in_digits(std::string word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNumbers{{{"two", "2"}, {"dual", "2x"}, {"quad", "4x"}, {"three", "3"}, {"four", "4"}, {"six", "6"}, {"eight", "8"}, {"sixteen", "16"}}};
  const std::string lower = lower_case(word);
  for (const auto& [name, digits] : kNumbers)
    if (lower == name) return std::string{digits};
  return word;
}

} // namespace

std::vector<Word> words_in(std::string_view text) {
  std::string plain;
  const auto is_digit_at = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("×")) plain += " x ", ++i;
    else if (text[i] == ',' && i > 0 && is_digit_at(i - 1) && is_digit_at(i + 1) && is_digit_at(i + 2) && is_digit_at(i + 3) && !is_digit_at(i + 4)) continue;
    else plain += std::string_view{" \t\r\n,;?!()\"'`*+"}.find(text[i]) != std::string_view::npos ? ' ' : text[i];
  }
  std::vector<Word> words;
  for (std::size_t at = plain.find_first_not_of(' '); at != std::string::npos; at = plain.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(plain.find(' ', at), plain.size());
    std::string word = plain.substr(at, end - at);
    while (word.size() > 1 && (word.ends_with('.') || word.ends_with(':'))) word.pop_back();
    while (word.size() > 1 && word.front() == '-' && (word[1] < '0' || word[1] > '9')) word.erase(0, 1); // "-ngl 40"
    word = in_digits(named_at(word));
    std::string lower = lower_case(word);
    at = end;
    if (is_one_of(lower, {"bit", "bits"}) && !words.empty() && is_digits(words.back().lower)) { // "4 bit"
      words.back().text += "bit", words.back().lower += "bit";
      continue;
    }
    if (is_digits(lower) && lower.size() < 3 && words.size() > 1 && words.back().lower == "x" && !is_digits(words[words.size() - 2].lower)) { // "H100 x 8", "A100×8", but not "2 x 3090"
      words.back().text += word, words.back().lower += lower;
      continue;
    }
    const std::size_t digits = std::min(lower.find_first_of("0123456789"), lower.size());
    const std::string_view unit = std::string_view{lower}.substr(0, digits);
    if (is_digits(std::string_view{lower}.substr(digits)) && (is_one_of(unit, {"tp", "pp", "dp", "ep", "cp", "bs"}) || (unit == "r" && !words.empty() && words.back().lower.ends_with("lora")))) { // "tp8", "lora r16"
      words.push_back({word.substr(0, digits), lower.substr(0, digits)});
      word.erase(0, digits), lower.erase(0, digits);
    }
    words.push_back({std::move(word), std::move(lower)});
  }
  return words;
}

bool is_one_of(std::string_view word, List list) { return std::ranges::find(list, word) != list.end(); }

void take(std::vector<Word>& words, std::size_t from, std::size_t end) {
  for (std::size_t i = from; i < std::min(end, words.size()); ++i) words[i].used = true;
}

bool is_filler(std::string_view word) { return is_among(kFillers, word); }
bool is_length(std::string_view word) { return is_among(" context ctx seq seqlen window len ", word); }
bool is_load(std::string_view word) { return is_among(" user users request requests concurrent sequences streams chats people ", word); }

bool is_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }); }

char scale_of(std::string_view word) {
  if (word.empty() || word.front() < '0' || word.front() > '9') return 0;
  const std::size_t end = std::min(word.find_first_not_of("0123456789."), word.size());
  if (end == word.size()) return '1';
  constexpr std::string_view kScales = "kmbt";
  return end + 1 == word.size() && kScales.find(word[end]) != std::string_view::npos ? word[end] : '\0';
}

} // namespace plimsoll::io::programs
