#include "many_command.hpp"

#include "commands.hpp"
#include "many_questions.hpp"
#include "plimsoll/results/row.hpp"
#include "progress.hpp"
#include "streams.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace plimsoll::cli {

namespace {

/// Questions that one thread takes at a time, and how many of these make one round of all threads: enough that the slowest holds nobody up.
constexpr std::size_t kPiece = 16, kPiecesOfThread = 64;

class Writer {
public:
  Writer(const io::Catalog& catalog, const ManyOptions& options, Questions& questions) : catalog_(catalog), options_(options), questions_(questions) {
    threads_ = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  }

  int run() {
    const std::uint64_t before = options_.resume ? resume() : 0;
    Issues issues;
    if (failed_.empty() && !open(before)) failed_ = "The file " + options_.output + " cannot be written.";
    if (!failed_.empty()) {
      issues.push_back({Severity::error, "output", failed_, "Give another file, or leave out --resume."});
      complain(issues);
      return kError;
    }
    if (options_.format == "csv" && before == 0) write(io::row_csv_head(questions_.input_names()) + "\n");
    Progress progress{before, questions_.count()};
    for (std::uint64_t done = before;;) {
      const std::vector<ReadQuestion> some = questions_.next(kPiece * kPiecesOfThread * threads_);
      if (some.empty() || !write(answer(some))) break;
      progress.show(done += some.size());
    }
    return wrong_ ? kError : kFits;
  }

private:
  std::string row_of(const ReadQuestion& question) {
    io::Answer answer = io::answer(catalog_, question.request, question.issues);
    if (!answer.ok) wrong_ = true;
    const Judge judge = options_.judge == "estimate" ? Judge::estimate : Judge::process;
    return (options_.format == "csv" ? io::row_csv(answer, judge, question.inputs) : io::row_json(answer, judge, question.inputs)) + "\n";
  }

  /// The rows of all, in their order.
  std::string answer(const std::vector<ReadQuestion>& some) {
    std::vector<std::string> pieces((some.size() + kPiece - 1) / kPiece);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t piece = next++; piece < pieces.size(); piece = next++)
        for (std::size_t i = piece * kPiece; i < std::min(some.size(), (piece + 1) * kPiece); ++i) pieces[piece] += row_of(some[i]);
    };
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < threads_; ++i) others.emplace_back(work);
      work();
    }
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return all;
  }

  /// Rows that the file holds already; cuts off one that was being written when it ended. The last whole one must be what would be written now.
  std::uint64_t resume() {
    std::ifstream in{options_.output, std::ios::binary};
    if (!in) return 0;
    std::uint64_t rows = 0, bytes = 0;
    std::string line, last;
    while (std::getline(in, line) && !in.eof()) {
      ++rows;
      bytes += line.size() + 1;
      last = line + "\n";
    }
    in.close();
    std::error_code error;
    std::filesystem::resize_file(options_.output, bytes, error);
    if (error) failed_ = "The file " + options_.output + " cannot be written.";
    if (options_.format == "csv" && rows > 0) --rows;
    if (rows == 0 || !failed_.empty()) return rows;
    questions_.skip(rows - 1);
    const std::vector<ReadQuestion> one = questions_.next(1);
    if (one.empty() || row_of(one.front()) != last) failed_ = "The file " + options_.output + " holds rows of other questions.";
    return rows;
  }

  bool open(std::uint64_t before) {
    if (options_.output == "-") return true;
    out_.reset(std::fopen(options_.output.c_str(), before > 0 ? "ab" : "wb"));
    return out_ != nullptr;
  }

  bool write(const std::string& text) {
    std::FILE* const to = out_ ? out_.get() : stdout;
    return std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  const io::Catalog& catalog_;
  const ManyOptions& options_;
  Questions& questions_;
  unsigned threads_ = 1;
  std::atomic<bool> wrong_ = false;
  std::string failed_;
  std::unique_ptr<std::FILE, Close> out_;
};

} // namespace

void add_many_options(CLI::App& command, ManyOptions& options) {
  CLI::Option* const output = command.add_option("--output", options.output, "The file for the rows of many questions, in place of standard output");
  command.add_option("--format", options.format, "How rows are written: jsonl or csv")->check(CLI::IsMember({"jsonl", "csv"}));
  command.add_option("--judge", options.judge, "What a scenario must stay within: process, or estimate, which is far faster and leaves out the process")->check(CLI::IsMember({"process", "estimate"}));
  command.add_option("--threads", options.threads, "Threads that answer; 0 for all of the machine. The rows are the same");
  command.add_flag("--resume", options.resume, "Go on where the output file ends")->needs(output);
}

void add_sweep_options(CLI::App& command, ManyOptions& options) {
  command.add_option("query", options.query, "A query, some inputs with several values: model=llama-3-8b&device=rtx4090,h100-80-sxm&context_tokens=8k..128k*2&batch=1..9:2")->required();
  add_many_options(command, options);
}

int run_many(const io::Catalog& catalog, const ManyOptions& options, const io::Request& besides) {
  Issues issues;
  std::unique_ptr<Questions> questions;
  if (options.query.empty()) {
    questions = std::make_unique<QuestionsOfLines>(options.each, besides, issues);
  } else {
    const io::Request request = io::request_from_query(options.query, issues);
    io::Sweep sweep = io::sweep_of(request, std::move(issues));
    issues = sweep.issues;
    questions = std::make_unique<SweptQuestions>(std::move(sweep));
  }
  complain(issues);
  if (has_errors(issues)) return kError;
  return Writer{catalog, options, *questions}.run();
}

} // namespace plimsoll::cli
