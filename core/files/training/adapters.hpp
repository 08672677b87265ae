#pragma once
// LoRA, quantised base weights and preference methods: what Axolotl, LLaMA-Factory and TRL have in common.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"
#include "files/training/format.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

/// Names of a program's keys.
struct AdapterKeys {
  std::string_view rank, targets, dropout, dora, modules = {};
  std::int64_t usual_rank = 16;
  std::string_view usual_targets = "qv";   ///< a choice of "targets"
  bool usual_dropout = false;
};

/// Sets method, rank, targets, dropout and modules that train whole besides. PEFT's default for Llama is q_proj and v_proj (huggingface/peft, src/peft/utils/constants.py).
void read_lora(Document& document, RequestBuilder& draft, const AdapterKeys& keys);
/// Sets targets to just these maps; names that are not known are refused. A text may be a regular expression as PEFT takes it.
void set_targets(Document& document, RequestBuilder& draft, std::string_view key, const std::vector<std::string>& given);
void write_lora(const Source& source, Json& tree, const AdapterKeys& keys);

/// Whether LoRA or DoRA is what trains: formats of these programs say no more.
bool is_lora(const Source& source);

/// Weights of bitsandbytes in 4 or 8 bits.
struct Bits {
  bool four = false, eight = false;
  bool doubled = false;         ///< the scales of 4 bits are quantised too
  std::string_view kind = "nf4"; ///< of 4 bits
  bool experts = false;         ///< the program quantises experts itself
};
/// After the model. Where the file asks for neither, what the name of the model says: a checkpoint of GPTQ or AWQ is frozen as it is.
void set_bits(RequestBuilder& draft, const Bits& bits);

/// flash_attention_2, sdpa, eager … as the choice of "attention"; "" where there is none.
std::string_view attention_of(std::string_view word) noexcept;

} // namespace plimsoll::io::configs
