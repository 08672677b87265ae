#pragma once
// Options of an engine that stand in a YAML file beside its command line.

#include "files/programs/purpose.hpp"
#include "files/scripts/launch.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace plimsoll::io::programs {

/// The text of a file by its name, as the command writes it; null where it was not given.
using FindText = std::function<const std::string*(const std::string& name)>;

/// Puts the file's options among those of the command: vLLM's and SGLang's in front, where the command's own win; TensorRT-LLM's behind, as it lets the file
/// win (tensorrt_llm/llmapi/llm_args.py, update_llm_args_with_extra_dict; vllm/utils, FlexibleArgumentParser; sglang/srt/server_args_config_parser.py).
/// The name of a file that was not given, with marks; "" where nothing is missing.
std::string add_engine_file(scripts::Launch& launch, const Program& program, const FindText& find);

/// Whether a text holds options of vllm serve by their names, the model among them, as a file for its --config does.
bool is_engine_file(std::string_view text);

} // namespace plimsoll::io::programs
