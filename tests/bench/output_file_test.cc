// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OutputFile : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ctxgate-output-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  static std::string Text(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t Files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(OutputFile, IsWrittenAndReplaced) {
  EXPECT_FALSE(WriteWhole(Path("a.json"), "one"));
  EXPECT_EQ(Text(Path("a.json")), "one");
  EXPECT_FALSE(WriteWhole(Path("a.json"), "two"));
  EXPECT_EQ(Text(Path("a.json")), "two");
  EXPECT_EQ(Files(), 1U);
}

TEST_F(OutputFile, LeftoversOfDeadWritersAreRemovedThoseOfLivingOnesKept) {
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  waitpid(dead, nullptr, 0);
  const std::string of_dead = Path(".a.json.ctxgate-" + std::to_string(dead) + ".tmp");
  const std::string of_living = Path(".a.json.ctxgate-" + std::to_string(getppid()) + ".tmp");
  std::ofstream(of_dead) << "half";
  std::ofstream(of_living) << "half";
  EXPECT_FALSE(WriteWhole(Path("a.json"), "whole"));
  EXPECT_FALSE(fs::exists(of_dead));
  EXPECT_TRUE(fs::exists(of_living));
}

TEST_F(OutputFile, WhereItCannotBeWrittenThePathIsNamed) {
  const auto failure = WriteWhole(Path("missing/a.json"), "x");
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->message, HasSubstr("missing/a.json: No such file or directory"));
  EXPECT_TRUE(CanWrite(Path("missing/a.json")).has_value());
  EXPECT_TRUE(CanWrite(folder_).has_value());
  EXPECT_FALSE(CanWrite(Path("a.json")).has_value());
  const auto folder = WriteWhole(folder_, "x");
  EXPECT_TRUE(folder.has_value());
}

// Not with /dev/null: a broken WriteWhole, run by root, would replace it.
TEST_F(OutputFile, AFifoIsWrittenPlainly) {
  const std::string fifo = Path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  FileDescriptor reader(open(fifo.c_str(), O_RDWR));  // a writer alone would wait for a reader
  EXPECT_FALSE(WriteWhole(fifo, "text"));
  EXPECT_TRUE(fs::is_fifo(fifo));
  char text[8] = {};
  EXPECT_EQ(read(reader.get(), text, sizeof(text)), 4);
  EXPECT_STREQ(text, "text");
}

}  // namespace
}  // namespace ctxgate
