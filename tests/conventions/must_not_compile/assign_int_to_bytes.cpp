// Whoever makes an amount of a number says so: Bytes{1}.
#include "quantities.hpp"

plimsoll::Bytes bytes = 1;
