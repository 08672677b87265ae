// What Megatron-LM's arguments ask for beside the training of a language model that an estimate knows (NVIDIA/Megatron-LM,
// megatron/training/arguments.py, examples, tools), and for programs that are built on it (THUDM/slime, slime/utils/arguments.py; deepspeedai/Megatron-DeepSpeed).
#include "files/training/megatron_shared.hpp"

#include "files/training/format.hpp"

#include <array>
#include <string>

namespace plimsoll::io::configs {

void refuse_other_runs(Document& document, RequestBuilder& draft) {
  struct Other {
    std::string_view arguments, reason, remedy;
  };
  constexpr std::string_view kTrain = "Give the command that trains; for serving, state the model with task=inference.", kWithout = "Leave the key out for an estimate without it.";
  constexpr std::string_view kByName = "Choose a model of that kind by its name, or import its config.json.";
  static constexpr std::array kOthers{
      Other{"inference-* num-tokens-to-generate max-tokens-to-generate prompts text-prompts prompt-file sample-input-file use-legacy-static-engine incoming-requests-* output-path num-tokens-from-file",
            "These arguments generate text, and train nothing.", kTrain},
      Other{"perform-rl-step rl-* grpo-* rollout-* actor-num-*", "Reinforcement learning, with rollouts beside training, is not read here.", "State the preference method and its inputs: preference=grpo."},
      Other{"export-kd-cfg export-kd-* distillation-config", "Distillation runs a second model, which is not covered.", kWithout},
      Other{"export-quant-cfg calib-size", "These arguments quantise a model, and train nothing.", kTrain},
      Other{"use-torch-fsdp2", "PyTorch's FSDP inside Megatron-LM is not covered.", "Use --use-megatron-fsdp, or leave the key out."},
      Other{"deepspeed zero-stage deepspeed-config", "DeepSpeed inside Megatron-DeepSpeed shards and keeps states otherwise than Megatron-LM.", "Give DeepSpeed's configuration, and state the model and the parallel degrees."},
      Other{"fp32-residual-connection", "A residual stream in fp32 is not covered.", kWithout},
      Other{"encoder-num-layers decoder-num-layers encoder-seq-length decoder-seq-length vocab-extra-ids", "T5, an encoder beside a decoder, is not covered as Megatron-LM builds it.",
            kByName},
      Other{"bert-load bert-no-binary-head retriever-* ict-* biencoder-* titles-data-path", "BERT, with its pooler and its second loss, is not covered as Megatron-LM builds it.",
            kByName},
      Other{"retro-* vision-* patch-dim img-h img-w image-* patch-size disable-vision-class-token mrope-section language-model-type", "Models with another part than a language model are not covered as Megatron-LM builds them.",
            kByName},
      Other{"flextron* enable-flextron flex-*", "Elastic training is not covered.", kWithout},
      Other{"dsa-* index-topk", "Sparse attention is not covered.", kByName},
  };
  for (const Other& other : kOthers)
    for (Leaf& leaf : document.leaves())
      if (leaf.state == LeafState::untouched && names(other.arguments, leaf.path) && !says_nothing(*leaf.value)) {
        leaf.state = LeafState::read;
        draft.refuse(leaf.path, std::string{other.reason}, std::string{other.remedy});
        break; // one of a kind is enough
      }
  const std::string tokenizer = document.peek("tokenizer-type") != nullptr ? plain_text(*document.peek("tokenizer-type")) : "";
  if (tokenizer.starts_with("BertWordPiece"))
    draft.refuse("tokenizer-type", "BERT and T5, which have that tokenizer, are not covered as Megatron-LM builds them.", std::string{kByName});
  if (draft.has("fp8") && document.is_on("use-megatron-fsdp")) draft.say(Severity::warning, "fp8-format", "Megatron FSDP with fp8 keeps copies that are not in the estimate.", "Take what they need off usable_bytes.");
}

} // namespace plimsoll::io::configs
