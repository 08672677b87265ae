#include "platform.hpp"

int main(int argc, char** argv) {
  const plimsoll::app::Start start = plimsoll::app::read_start(argc, argv);
  return start.run ? plimsoll::app::show(start) : start.exit_code;
}
