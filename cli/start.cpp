#include "program.hpp"

#include <string>
#include <vector>

int main(int argc, char** argv) { return plimsoll::cli::run_program({argv + (argc > 0 ? 1 : 0), argv + argc}); }
