#pragma once
// A matrix multiplication of m × k with k × n, cut into tiles, of which each multiprocessor takes one at a time. A tile multiplies, and reads
// its rows and columns through the cache; where there are few tiles, several multiprocessors share the length k of one. The kernel takes the
// tile that makes it fastest, as libraries do that try them. Osama et al., Stream-K, 2023 (arXiv 2301.03598), section 3.

#include "method/kernels/gpu.hpp"

#include <array>

namespace plimsoll::kernels {

struct Product {
  double m = 1, n = 1, k = 1;   ///< rows of tokens, channels out, channels in; >= 1
  double token_bytes = 2;       ///< of one number of the tokens
  double weight_bytes = 2;      ///< of one number of the weights, its part of scales among them
  double copies = 1;            ///< products alike that run at once, as experts do
};

struct MatrixNumber {
  enum : std::size_t {
    launch,   ///< ns before the first byte
    memory,   ///< share of the memory's rate
    compute,  ///< share of the matrix units' rate
    unhidden, ///< of the shorter of both
    feed,     ///< bytes/s that one multiprocessor reads, in thousandths of the memory's rate
    start,    ///< numbers of k that a tile's beginning and end cost
    split,    ///< ns that each further multiprocessor on one tile costs
    swift,    ///< times as fast as from memory that the cache is read
    row,      ///< ns for each token before it is multiplied: conversion takes a block of threads for each
    prepare,  ///< bytes moved for each number of the tokens meanwhile, where that takes longer: conversion, scales
    count
  };
};

/// Nanoseconds of arithmetic with the best of the tiles.
inline double tiled(const Product& of, const Gpu& gpu, const Numbers& with, const Tiles& menu) noexcept {
  const double per_unit = per_ns(gpu.flop * with[MatrixNumber::compute] / gpu.units);
  const double feed = per_ns(gpu.memory * with[MatrixNumber::feed]) / 1e3;
  double best = 1e300;
  for (double rows = menu.least_rows; rows <= menu.most_rows; rows *= 2) {
    if (rows > menu.least_rows && rows >= 2 * of.m) break;
    const double down = parts_of(of.m, rows);
    for (double columns = menu.least_columns; columns <= menu.most_columns; columns *= 2) {
      if (columns > menu.least_columns && columns >= 2 * of.n) break;
      const double tiles = of.copies * down * parts_of(of.n, columns);
      const double each = 2 * rows * columns / per_unit + (rows * of.token_bytes + columns * of.weight_bytes) / feed;
      for (double split = 1; split <= menu.most_split; split *= 2) {
        if (split > 1 && (tiles * split > 2 * gpu.units || of.k < 64 * split)) break;
        const double time = parts_of(tiles * split, gpu.units) * (of.k / split + with[MatrixNumber::start]) * each + (split - 1) * with[MatrixNumber::split];
        best = std::min(best, time);
      }
    }
  }
  return best;
}

/// Nanoseconds of the kernel.
inline double product_ns(const Product& of, const Gpu& gpu, const Numbers& with, const Tiles& menu) noexcept {
  const double bytes = of.copies * (of.m * of.k * of.token_bytes + of.n * of.k * of.weight_bytes + 2 * of.m * of.n);
  const double read = read_ns(bytes, gpu, with[MatrixNumber::memory], with[MatrixNumber::swift]);
  const double prepared = of.copies * of.m * std::max(with[MatrixNumber::row], ns_of(of.k * with[MatrixNumber::prepare], gpu.memory));
  return with[MatrixNumber::launch] + prepared + together(tiled(of, gpu, with, menu), read, with[MatrixNumber::unhidden]);
}

} // namespace plimsoll::kernels
