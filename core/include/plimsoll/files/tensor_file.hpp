#pragma once
// Files that hold weights -> what is in them, tensor by tensor, and the model that they make up. Only the header of such a file
// is read, never the weights. Trusts nothing in the file: memory and time are bounded by the bytes that were handed in.
//
//   safetensors         8 bytes of length, then JSON: https://github.com/huggingface/safetensors
//   *.index.json        which shard holds which tensor; says no shapes
//   GGUF, version 2, 3  https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/model.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/weight_scheme.hpp"
#include "plimsoll/request/request.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

enum class TensorFileKind : unsigned char {
  unknown,
  safetensors,
  safetensors_index,
  gguf,
};
const char* name_of(TensorFileKind kind) noexcept;

/// One tensor as the file states it.
struct FileTensor {
  std::string name;
  std::string dtype;               ///< as the format writes it: "BF16", "Q4_K"; "" in an index, which does not say
  std::vector<std::int64_t> shape; ///< outermost first: rows before columns (GGUF writes the reverse); {} is one number
  Count elements{0};
  Bytes bytes{0};                  ///< in the file, without padding between tensors
};

struct DtypeTotal {
  std::string dtype;
  Count tensors{0};
  Count elements{0};
  Bytes bytes{0};
};

/// A line of metadata, as people read it.
struct FileFact {
  std::string key;
  std::string text;
};

struct TensorFile {
  TensorFileKind kind = TensorFileKind::unknown;
  bool complete = false;  ///< the header was read to its end
  bool need_more = false; ///< the bytes end within the header, and the file has more: no error; see header_bytes_needed()
  std::vector<FileTensor> tensors;  ///< in the order of the file
  std::vector<DtypeTotal> by_dtype; ///< most bytes first
  Count elements{0};
  Bytes bytes{0};
  std::vector<FileFact> metadata;   ///< what matters of it, in the order of the file
  std::int64_t header_bytes = 0;    ///< from the start of the file to its first weight; 0 unless complete
  Issues issues;                    ///< fields are "TENSOR.shape", a metadata key, or a name of the format's specification
};

/// The longest header that is read: the limit of safetensors itself.
inline constexpr std::int64_t kMostHeaderBytes = 100'000'000;

struct HeaderNeed {
  TensorFileKind kind = TensorFileKind::unknown;
  bool enough = false;     ///< the header ends within the bytes given, or no further byte would help
  std::uint64_t bytes = 0; ///< read so many from the start of the file: with them, call again (or import, when enough)
};

/// How much of a file to read, given its first bytes (none at all will do) and its size in bytes. Exact for safetensors from 8
/// bytes on; a GGUF header says nowhere how long it is, so the answer doubles until it is enough: all in all at most about three
/// times the header's length is looked at. Never asks for more than kMostHeaderBytes or the file.
HeaderNeed header_bytes_needed(std::string_view first_bytes, std::uint64_t file_size);

/// Reads the header. `bytes` are the first of the file, as many as header_bytes_needed() says or all; `file_size` is the size of
/// the whole file in bytes, at least bytes.size(), and tells a short read from a broken file. What is wrong is in `issues`.
TensorFile read_tensor_file(std::string_view bytes, std::uint64_t file_size);

/// Alike tensors of a group of layers: same name but for the numbers of layer and expert, same dtype, same shape.
struct TensorRow {
  std::string name;   ///< within the layer, "*" for the number of an expert
  std::string dtype{};
  std::vector<std::int64_t> shape{};
  Count tensors{0};   ///< of the file, in all layers
  Count layers{0};    ///< that have it so; 0 outside layers
  Count elements{0};  ///< of all of them, as stored: packed words count as words
  Bytes bytes{0};
};

/// Layers that are alike, or what stands outside layers (layers == 0).
struct TensorGroup {
  std::string id;
  std::string label;
  Count layers{0};
  Count parameters{0}; ///< numbers that the tensors stand for: packed ones are counted unpacked, their scales not
  Bytes bytes{0};
  std::vector<TensorRow> rows{};
};

struct ImportedTensors {
  TensorFile file;
  std::string architecture;        ///< GGUF's general.architecture; "" where the file does not say
  std::vector<std::string> names;  ///< of the model, as a GGUF file states them: its own, and those of what it was made from
  std::string file_type;           ///< GGUF's general.file_type by name, e.g. "Q4_K_M"; or the quantisation that was recognised
  std::vector<TensorGroup> groups; ///< rows of all groups together hold every tensor of the file
  Count parameters{0};             ///< of the language model
  std::optional<Count> active_parameters; ///< that one token meets; empty where the file does not tell how many experts it picks
  Count other_parameters{0};       ///< of towers and of prediction layers
  std::optional<Model> model;      ///< when the file holds a whole language model; its tensors are those of the file
  std::optional<StoredWeights> weights; ///< how `model` is stored here, exact in bytes
  std::vector<TensorFormat> formats;    ///< of the language model's tensors: ids of the catalogue; of safetensors "unquantised", or "" for matrices that are quantised
  std::vector<FileFact> facts;     ///< what was derived, for people
  Issues issues;                   ///< those of `file`, then those of the model
};

/// A file of any kind, or its beginning (header_bytes_needed()).
struct ImportFile {
  std::string_view bytes;
  std::uint64_t file_size = 0; ///< of the whole
  std::string_view name{};
};

/// The names of all files of one model, where `path` is one of them: "m-00002-of-00003.gguf" is one of three. `path` alone where it is not, or
/// says that they are more than a thousand.
std::vector<std::string> shards_of(std::string_view path);

/// read_tensor_file(), and what the tensors make up. `name` is the file's name, if known: "model-00002-of-00004.safetensors" is
/// one of four. No model comes from an index, from one of several files, or from a vision tower; notes say so.
ImportedTensors import_tensor_file(std::string_view bytes, std::uint64_t file_size, std::string_view name = {});

/// The same of the files of one model, in any order: their tensors are summed, and a model comes of them where none is missing. They are
/// all safetensors or all GGUF; of others the first is read alone.
ImportedTensors import_tensor_files(std::span<const ImportFile> files);

/// {"ok", "issues", "kind", "need_more", "header_bytes", "file_type", "architecture", "parameters", "active_parameters",
/// "other_parameters", "elements", "bytes", "tensors", "by_dtype": [...], "groups": [...], "model", "facts", "metadata"}; "tensors" is
/// their number, "model" whether there is one, facts and metadata are lists of {"key", "text"}, all amounts are whole numbers. "fields"
/// and "query" are those given: what to ask the estimator for about this model; null without any.
std::string tensor_file_json(const ImportedTensors& imported, const std::vector<Entry>& fields = {}, std::string_view query = {});

/// Any file that this program imports, told by its content: a model's config.json, a safetensors header, its index, a GGUF header.
/// The result is that of tensor_file_json(), or of import_config_json() (plimsoll/io/api.hpp), which has no "kind".
std::string import_json(std::string_view bytes, std::uint64_t file_size, std::string_view name = {});

/// The same of the files of one model.
std::string import_json(std::span<const ImportFile> files);

} // namespace plimsoll::io
