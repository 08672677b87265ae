// Which kind of file these bytes begin, and how many of them are needed.

#include "files/tensors/gguf.hpp"
#include "files/tensors/recognise.hpp"
#include "files/tensors/report.hpp"
#include "files/tensors/safetensors.hpp"
#include "plimsoll/files/tensor_file.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace tensor_files {

namespace {

constexpr std::uint64_t kFirstBytes = 65'536;

/// Files that people drop by mistake.
struct Stranger {
  std::string_view beginning;
  std::string_view what;
  std::string_view remedy;
};
constexpr std::array<Stranger, 10> kStrangers = {{
    {"PK\x03\x04", "a PyTorch checkpoint or another ZIP archive", "Give the model as safetensors or GGUF, or its config.json."},
    {"\x80\x02", "a Python pickle", "Give the model as safetensors or GGUF, or its config.json."},
    {"version https://git-lfs", "a Git LFS pointer, not the file itself", "Fetch it with git lfs pull, or download the file."},
    {"lmgg", "a GGML file from before GGUF", "Convert the model to GGUF with a current llama.cpp."},
    {"fmgg", "a GGML file from before GGUF", "Convert the model to GGUF with a current llama.cpp."},
    {"tjgg", "a GGML file from before GGUF", "Convert the model to GGUF with a current llama.cpp."},
    {"\x89HDF", "an HDF5 file", "Give the model as safetensors or GGUF, or its config.json."},
    {"\xFF\xFE", "a text in UTF-16", "Save it as UTF-8."},
    {"\xFE\xFF", "a text in UTF-16", "Save it as UTF-8."},
    {"<", "a web page", "Download the file itself, not the page that shows it."},
}};

} // namespace

Content recognise(std::string_view bytes) noexcept {
  constexpr std::string_view kMagic = "GGUF";
  if (looks_like_gguf(bytes) || (!bytes.empty() && kMagic.starts_with(bytes))) return Content::gguf;
  if (looks_like_safetensors(bytes)) return Content::safetensors;
  const std::string_view text = bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? Content::json : Content::other;
}

Issue stranger(std::string_view bytes) {
  for (const Stranger& known : kStrangers)
    if (bytes.starts_with(known.beginning))
      return {Severity::error, "", "This is " + std::string{known.what} + ".", std::string{known.remedy}};
  return {Severity::error, "", bytes.empty() ? "The file is empty." : "The file is neither safetensors nor GGUF nor JSON, nor a configuration or command line that is known.",
          "Give a .safetensors file, its .index.json, a .gguf file, a config.json, a training configuration or the command line of an engine."};
}

bool is_index(std::string_view json) noexcept { return json.find("\"weight_map\"") != std::string_view::npos; }

} // namespace tensor_files

const char* name_of(TensorFileKind kind) noexcept {
  switch (kind) {
    case TensorFileKind::unknown: return "unknown";
    case TensorFileKind::safetensors: return "safetensors";
    case TensorFileKind::safetensors_index: return "safetensors_index";
    case TensorFileKind::gguf: return "gguf";
  }
  return "unknown";
}

HeaderNeed header_bytes_needed(std::string_view first_bytes, std::uint64_t file_size) {
  using namespace tensor_files;
  const std::uint64_t have = first_bytes.size();
  const std::uint64_t most = std::min<std::uint64_t>(std::max(file_size, have), kMostHeaderBytes + sizeof(std::uint64_t));
  const auto need = [&](TensorFileKind kind, std::uint64_t bytes) {
    bytes = std::min(bytes, most);
    return bytes <= have ? HeaderNeed{kind, true, have} : HeaderNeed{kind, false, bytes};
  };
  if (have < std::min<std::uint64_t>(most, sizeof(std::uint64_t) + 1)) return need(TensorFileKind::unknown, kFirstBytes);
  switch (recognise(first_bytes)) {
    case Content::gguf:
      if (have >= most || gguf_header_is_whole(first_bytes, file_size)) return {TensorFileKind::gguf, true, have};
      return need(TensorFileKind::gguf, std::max(kFirstBytes, 2 * have));
    case Content::safetensors: {
      const std::uint64_t length = safetensors_header_length(first_bytes).value_or(0);
      return need(TensorFileKind::safetensors, sizeof(std::uint64_t) + length);
    }
    case Content::json: return need(is_index(first_bytes) ? TensorFileKind::safetensors_index : TensorFileKind::unknown, most);
    case Content::other: break;
  }
  return {TensorFileKind::unknown, true, have};
}

TensorFile read_tensor_file(std::string_view bytes, std::uint64_t file_size) {
  using namespace tensor_files;
  switch (recognise(bytes)) {
    case Content::gguf: return read_gguf(bytes, file_size).file;
    case Content::safetensors: return read_safetensors(bytes, file_size);
    case Content::json:
    case Content::other: break;
  }
  return read_other(bytes, file_size);
}

namespace tensor_files {

TensorFile read_other(std::string_view bytes, std::uint64_t file_size) {
  TensorFile file;
  const bool json = recognise(bytes) == Content::json;
  const bool too_few = bytes.size() <= sizeof(std::uint64_t); // to tell anything
  if (bytes.size() < file_size && bytes.size() < static_cast<std::size_t>(kMostHeaderBytes) && (json || too_few)) {
    file.kind = json && is_index(bytes) ? TensorFileKind::safetensors_index : TensorFileKind::unknown;
    file.need_more = true;
    return file;
  }
  if (json && is_index(bytes)) return read_safetensors_index(bytes);
  file.issues.push_back(json ? Issue{Severity::error, "", "The JSON lists no tensors: it has no weight_map.",
                                     "Give model.safetensors.index.json, or import a config.json as such."}
                             : stranger(bytes));
  return file;
}

} // namespace tensor_files

} // namespace plimsoll::io
