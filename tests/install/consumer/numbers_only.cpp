// The estimator alone, from types: no text is read, and plimsoll::io is not linked.
#include <plimsoll/method/format.hpp>

#include <cstdio>

int main() { std::puts(plimsoll::format_bytes(plimsoll::gigabytes(3)).c_str()); }
