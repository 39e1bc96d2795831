// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_TESTS_BENCH_FACTS_TREE_H_
#define CTXGATE_TESTS_BENCH_FACTS_TREE_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"

namespace ctxgate {

/// A recorded tree (or an empty one) that a test may change; its changes are gone with the test.
/// Links lead to what is recorded, and only directories on the way to a change are made anew: a
/// copy of some hundred files for each test is slow on a busy disk.
class Tree {
 public:
  explicit Tree(const std::string& recorded = "") {
    std::string pattern = testing::TempDir() + "ctxgate-tree-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) top_ = pattern;
    if (!recorded.empty()) {
      LinkInto(std::filesystem::path(__FILE__).parent_path() / "trees" / recorded, top_);
    }
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() { std::filesystem::remove_all(top_); }

  Tree& Write(const std::string& path, const std::string& text) {
    Remove(path);
    const auto file = std::filesystem::path(top_) / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return *this;
  }
  Tree& Remove(const std::string& path) {
    Unlink(path);
    std::filesystem::remove_all(std::filesystem::path(top_) / path);
    return *this;
  }
  /// Puts a directory in the file's place: it exists and cannot be read, by root either.
  Tree& Spoil(const std::string& path) {
    Remove(path);
    std::filesystem::create_directories(std::filesystem::path(top_) / path);
    return *this;
  }
  /// Replaces one line of proc/self/status.
  Tree& SetStatus(const std::string& name, const std::string& value) {
    const auto file = std::filesystem::path(top_) / "proc/self/status";
    std::string text;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      text += (line.rfind(name + ":", 0) == 0 ? name + ":\t" + value : line) + "\n";
    }
    stream.close();
    return Write("proc/self/status", text);
  }

  Roots roots() const { return {top_ + "/proc", top_ + "/sys"}; }
  const std::string& top() const { return top_; }

 private:
  static void LinkInto(const std::filesystem::path& source, const std::filesystem::path& place) {
    for (const auto& entry : std::filesystem::directory_iterator(source)) {
      std::filesystem::create_symlink(entry.path(), place / entry.path().filename());
    }
  }
  /// Makes real directories of all links above `path`.
  void Unlink(const std::filesystem::path& path) {
    std::filesystem::path place = top_;
    for (const auto& part : path.parent_path()) {
      place /= part;
      if (!std::filesystem::is_symlink(place)) continue;
      const auto source = std::filesystem::read_symlink(place);
      std::filesystem::remove(place);
      std::filesystem::create_directory(place);
      LinkInto(source, place);
    }
  }

  std::string top_;
};

/// What system calls would tell on the recorded machines.
inline Self VirtualSelf() { return {{0, 8u << 20}, {0, 1}, "KVMKVMKVM", true, 4000000}; }
inline Self MetalSelf() { return {{0, 8u << 20}, {0, 1, 2, 3, 4, 5, 6, 7}, "", true, 4000000}; }

}  // namespace ctxgate

#endif  // CTXGATE_TESTS_BENCH_FACTS_TREE_H_
