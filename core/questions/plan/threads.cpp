#include "questions/plan/threads.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace plimsoll::io {

void search_with_threads(Planner& planner, unsigned threads) {
  const unsigned most = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  while (const std::size_t layouts = planner.layouts_open()) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < layouts; i = next++) planner.search(i);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::min<std::size_t>(most, layouts); ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    planner.close();
  }
}

} // namespace plimsoll::io
