// openai/gpt-2, encoder.json; the vocab_size of the config.json of meta-llama/Llama-2-7b-hf and Meta-Llama-3-8B, mistralai/Mistral-7B-v0.1 and -v0.3,
// google/gemma-2-2b and google-t5/t5-small; openai/tiktoken, tiktoken_ext/openai_public.py, for cl100k_base and o200k_base (largest token + 1);
// google-bert/bert-base-uncased and -cased, vocab.txt.
#include "files/programs/vocabulary.hpp"

#include "files/commands/values.hpp"
#include "text/value.hpp"

#include <array>

namespace plimsoll::io::programs {

namespace {

struct Tokenizer {
  std::string_view name;
  std::int64_t tokens;
};
constexpr std::array kTokenizers{Tokenizer{"gpt2", 50257},       Tokenizer{"gpt2bpe", 50257},  Tokenizer{"gpt2bpetokenizer", 50257}, Tokenizer{"llama2", 32000},
                                 Tokenizer{"llama3", 128256},    Tokenizer{"mistral", 32000},  Tokenizer{"mistral-v3", 32768},       Tokenizer{"gemma2", 256000},
                                 Tokenizer{"cl100k_base", 100277}, Tokenizer{"o200k_base", 200019}, Tokenizer{"bert-uncased", 30522}, Tokenizer{"bert-cased", 28996},
                                 Tokenizer{"t5", 32100}};

} // namespace

std::optional<std::int64_t> vocabulary_of(std::string_view text) {
  if (const auto number = commands::whole_of(text); number && *number > 0) return number;
  const std::string wanted = lower_case(text);
  for (const Tokenizer& tokenizer : kTokenizers)
    if (tokenizer.name == wanted) return tokenizer.tokens;
  return std::nullopt;
}

} // namespace plimsoll::io::programs
