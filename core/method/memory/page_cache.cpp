// A model file that is mapped is read through the system's page cache: pages of it stay as long as nobody else needs the memory, those of
// tensors that went to a GPU as well, and what the host computes with is read again from the drive where they went. ggml-org/llama.cpp,
// src/llama-mmap.cpp, llama_mmap, and src/llama-model-loader.cpp, load_all_data.
#include "method/memory/serving.hpp"
#include "method/term.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kPageCache{[] { return FormulaText{.id = "fact.page_cache",
                             .label = "Pages of the model file that the system caches while it has room",
                             .unit = "bytes",
                             .text = "gpus + host",
                             .citation = "llama_cpp_mmap",
                             .basis = Basis::published,
                             .symbols = {{{"gpus", "bytes", "of tensors that go to GPUs", "gpu_layers"},
                                          {"host", "bytes", "of tensors that the host alone has", "gpu_layers"}}}}; }};

} // namespace

Term page_cache(Bytes gpus, Bytes host) noexcept { return make_term(kPageCache, gpus + host, {gpus.value, host.value}); }

} // namespace plimsoll::memory
