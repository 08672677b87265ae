#pragma once
// DeepSpeed's JSON, by itself or as a section of another file.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"
#include "files/training/format.hpp"

#include <span>
#include <string_view>

namespace plimsoll::io::configs {

/// `prefix` is "" or the name of the section and a dot. Within another file, number formats and batches are the other keys' matter where
/// DeepSpeed's say "auto" or nothing.
void read_deepspeed(Document& document, RequestBuilder& draft, std::string_view prefix);

/// "deepspeed" as the path of a file, which most often names the stage; false where there is none.
bool read_deepspeed_path(Document& document, RequestBuilder& draft);

/// What is sharded and offloaded; with `automatic`, everything else is left to the Trainer ("auto").
void write_deepspeed_sizes(const Source& source, Json& tree, bool automatic);

std::string_view deepspeed_harmless() noexcept;
std::span<const Effect> deepspeed_effects() noexcept;

} // namespace plimsoll::io::configs
