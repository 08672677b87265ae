#include "files/training/fsdp.hpp"

#include "files/training/print.hpp"
#include "text/value.hpp"

namespace plimsoll::io::configs {

namespace {

/// A key of the section with or without its prefix, whichever is there.
class Section {
public:
  Section(Document& document, std::string_view name) : document_(document), name_(name) {}

  std::string key(std::string_view key) const {
    const std::string with = name_ + ".fsdp_" + std::string{key};
    return document_.has(with) ? with : name_ + "." + std::string{key};
  }
  std::string text(std::string_view of) { return document_.text(key(of)); }

private:
  Document& document_;
  std::string name_;
};

/// Accelerate numbers them from 1, in the order of torch's enumeration.
std::string strategy_word(std::string text) {
  static constexpr std::string_view kNumbered[] = {"", "full_shard", "shard_grad_op", "no_shard", "hybrid_shard", "hybrid_shard_zero2"};
  text = lower_case(text);
  return text.size() == 1 && text[0] >= '1' && text[0] <= '5' ? std::string{kNumbered[text[0] - '0']} : text;
}

void set_strategy(RequestBuilder& draft, Document& document, const std::string& key, const std::string& word, const FsdpSetting& setting) {
  if (word == "no_shard") return draft.set("sharding", "none");
  const bool hybrid = word.starts_with("hybrid_shard");
  if (!hybrid && word != "full_shard" && word != "shard_grad_op" && !word.empty()) return document.refuse(key, "a sharding strategy that is known");
  draft.set("sharding", "parameters");
  if (word == "shard_grad_op" || word == "hybrid_shard_zero2") draft.set("reshard_after_forward", "false");
  if (!hybrid) return;
  if (setting.gpus > 0 && setting.nodes > 0) return draft.set("shard_group", setting.gpus / setting.nodes);
  draft.set_assumed("shard_group", "8", "a hybrid strategy shards within a node, and nodes have 8 GPUs as a rule");
}

} // namespace

bool is_fsdp(const Source& source) { return source.answer.profile_id == "fsdp1" || source.answer.profile_id == "fsdp2"; }

void read_fsdp(Document& document, RequestBuilder& draft, std::string_view name, std::string_view strategy, const FsdpSetting& setting) {
  Section section{document, name};
  const std::int64_t version = document.whole(section.key("version")).value_or(setting.version);
  draft.set("profile", version >= 2 ? "fsdp2" : "fsdp1");
  const std::string stated = section.text("sharding_strategy");
  std::string word = strategy_word(stated.empty() ? std::string{strategy} : stated);
  // Version 1's files may say the strategy under the name that is a truth in version 2.
  const std::string reshard_key = section.key("reshard_after_forward"), reshard = document.text(reshard_key);
  const auto truth = truth_word(reshard);
  if (!reshard.empty() && (!truth || (version < 2 && reshard.size() == 1))) word = strategy_word(reshard);
  set_strategy(draft, document, stated.empty() ? reshard_key : section.key("sharding_strategy"), word, setting);
  if (truth && version >= 2) draft.set("reshard_after_forward", *truth ? "true" : "false");
  if (document.is_on(section.key("offload_params")) || document.is_on(section.key("cpu_offload"))) draft.set("offload", "parameters");
  if (document.is_on(section.key("activation_checkpointing"))) draft.set("recompute", "full");
  const std::string prefetch = lower_case(section.text("backward_prefetch")), key = section.key("backward_prefetch");
  if (!prefetch.empty() && prefetch != "backward_pre" && prefetch != "1") document.differs(key, "backward_pre, which the estimate takes");
  if (document.is_on(section.key("forward_prefetch"))) document.differs(section.key("forward_prefetch"), "false, which the estimate takes");
  if (document.truth(section.key("limit_all_gathers")) == false) document.differs(section.key("limit_all_gathers"), "true, which the estimate takes");
  if (const auto least = document.whole(section.key("min_num_params")); least && *least > 0)
    document.differs(section.key("min_num_params"), "0: the estimate wraps layer by layer");
}

void write_fsdp(const Source& source, Json& tree, std::string_view section, std::string_view prefix) {
  const auto key = [&](std::string_view name) { return std::string{section} + "." + std::string{prefix} + std::string{name}; };
  const Strategy& strategy = source.strategy();
  const bool second = source.answer.profile_id == "fsdp2";
  const bool hybrid = strategy.shard_group > 0;
  put(tree, key("version"), second ? 2 : 1);
  const bool shards = strategy.sharding == Sharding::parameters;
  if (!second)
    put(tree, key("sharding_strategy"),
        !shards ? "NO_SHARD" : hybrid ? (strategy.reshard_after_forward ? "HYBRID_SHARD" : "HYBRID_SHARD_ZERO2") : strategy.reshard_after_forward ? "FULL_SHARD" : "SHARD_GRAD_OP");
  else put(tree, key("reshard_after_forward"), strategy.reshard_after_forward);
  put(tree, key("offload_params"), strategy.offload == Offload::parameters);
  put(tree, key("auto_wrap_policy"), "TRANSFORMER_BASED_WRAP");
}

} // namespace plimsoll::io::configs
