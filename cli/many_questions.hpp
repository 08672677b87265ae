#pragma once
// Questions one after the other, of a sweep or from a file; only those that are being answered are held.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/questions/sweep.hpp"
#include "plimsoll/request/request.hpp"

#include <cstdint>
#include <fstream>
#include <istream>
#include <string>
#include <vector>

namespace plimsoll::cli {

/// A question with what was wrong about its text, and what its row begins with.
struct ReadQuestion {
  io::Request request;
  Issues issues;
  std::vector<io::Entry> inputs;
};

class Questions {
public:
  virtual ~Questions() = default;
  /// At most `count` more; fewer at the end.
  virtual std::vector<ReadQuestion> next(std::size_t count) = 0;
  virtual void skip(std::uint64_t count) = 0;
  virtual std::uint64_t count() const { return 0; } ///< of all; 0 = not known before the end
  virtual std::vector<std::string> input_names() const { return {}; }
};

class SweptQuestions : public Questions {
public:
  explicit SweptQuestions(io::Sweep sweep) : sweep_(std::move(sweep)) {}
  std::vector<ReadQuestion> next(std::size_t count) override;
  void skip(std::uint64_t count) override { at_ += count; }
  std::uint64_t count() const override { return sweep_.count; }
  std::vector<std::string> input_names() const override;

private:
  io::Sweep sweep_;
  std::uint64_t at_ = 0;
};

/// A line each; empty lines are none.
class QuestionsOfLines : public Questions {
public:
  /// `path` "-" is standard input. `besides` counts where a line does not state it.
  QuestionsOfLines(const std::string& path, io::Request besides, Issues& issues);
  std::vector<ReadQuestion> next(std::size_t count) override;
  void skip(std::uint64_t count) override;

private:
  bool next_line(std::string& line);

  std::ifstream file_;
  std::istream* in_ = nullptr;
  io::Request besides_;
};

} // namespace plimsoll::cli
