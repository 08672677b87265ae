#pragma once
// Public readings of what a process takes outside the framework's allocator (core/evidence/data/runtime.json): the evidence behind
// the range that a profile gives for it.

#include "plimsoll/method/quantity.hpp"

#include <string>
#include <vector>

namespace plimsoll::io {

/// What a reading includes. Only readings of one kind may be compared.
enum class ReadingCovers : unsigned char {
  context,                  ///< driver context and loaded kernels
  context_and_communicator, ///< and a communicator of NCCL
  outside_allocator,        ///< whatever the process holds outside the allocator, from where its author began to count
};

struct ContextReading {
  std::string id;
  std::string device;   ///< as its author names it
  std::string software; ///< framework, versions and settings
  std::string reading;  ///< as printed at the source
  Bytes bytes;
  ReadingCovers covers = ReadingCovers::context;
  std::string note;
  std::string citation; ///< id in core/catalog/data/citations.json
};

/// One scratch buffer of a library that multiplies matrices, inside the framework's allocator.
struct WorkspaceSize {
  std::string id;
  Bytes bytes;
  std::string note;
  std::string citation;
};

/// In the order of the file. Malformed data is a defect of the build, found by tests: throws std::runtime_error.
std::vector<ContextReading> context_readings();
std::vector<WorkspaceSize> workspace_sizes();

} // namespace plimsoll::io
