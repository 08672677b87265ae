#include "method/validate/checks.hpp"
#include "plimsoll/method/media.hpp"

namespace plimsoll::checks {

void media(const Inputs& inputs, Findings& findings) {
  const Media& media = inputs.workload.media;
  if (!media.any() || inputs.model.towers.empty() || inputs.workload.task == Task::pretrain) return;
  Count tokens, pictures{media.images + media.video_frames}, seconds{media.audio_seconds};
  bool sees = false, hears = false;
  for (const Tower& tower : inputs.model.towers) {
    (tower.kind == TensorKind::audio ? hears : sees) = true;
    const MediaLoad load = media_load(tower, media);
    tokens += load.tokens;
    if (!load.known)
      refuse(findings, "image_tokens", [&] {
        return Words{"How many tokens " + inputs.model.name + " makes of an image follows from no rule that is known here.", "State image_tokens, as the processor of the model counts them."};
      });
  }
  if (pictures > Count{0} && !sees)
    refuse(findings, media.images > 0 ? "images" : "video_frames", [&] { return Words{inputs.model.name + " has no vision tower whose shape is known.", "Choose a model that sees, or leave images and video_frames out."}; });
  if (seconds > Count{0} && !hears)
    refuse(findings, "audio_seconds", [&] { return Words{inputs.model.name + " has no audio tower whose shape is known.", "Choose a model that hears, or leave audio_seconds out."}; });
  if (tokens > Count{inputs.workload.context_tokens})
    refuse(findings, "context_tokens", [&] {
      return Words{"Images, video and sound take " + number(tokens.value) + " tokens, more than the context's " + number(inputs.workload.context_tokens) + ".",
                   "Write a longer context_tokens, or fewer or smaller images."};
    });
  if (media.trains_towers && freezes(inputs.workload.task, inputs.tuning))
    refuse(findings, "train_towers", [&] { return Words{"Adapters stand in the language model here: towers cannot train beside them.", "Choose full as method, or leave train_towers out."}; });
}

} // namespace plimsoll::checks
