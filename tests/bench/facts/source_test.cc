// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/source.h"

#include <gtest/gtest.h>

#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/text.h"
#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

TEST(Source, IsReadAndTrimmed) {
  Tree tree;
  tree.Write("proc/a", std::string(" 0-3\n\0", 6));
  const Source source = ReadSource(tree.roots().proc + "/a");
  EXPECT_TRUE(source.read());
  EXPECT_EQ(source.text, "0-3");
  EXPECT_EQ(FactOf(source), "0-3");
}

TEST(Source, TellsAbsentFromUnreadable) {
  Tree tree;
  tree.Spoil("proc/a").Write("proc/empty", "\n").Write("proc/long", std::string(1 << 20, 'x'));
  EXPECT_EQ(ReadSource(tree.top() + "/proc/none").presence, Presence::kAbsent);
  EXPECT_EQ(ReadSource(tree.top() + "/proc/empty/below").presence, Presence::kAbsent);
  EXPECT_EQ(ReadSource(tree.top() + "/proc/a").presence, Presence::kUnreadable);
  EXPECT_EQ(ReadSource(tree.top() + "/proc/long").presence, Presence::kUnreadable);
  EXPECT_EQ(ReadFact(tree.top() + "/proc/none"), "none");
  EXPECT_EQ(ReadFact(tree.top() + "/proc/empty"), "none");
  EXPECT_EQ(ReadFact(tree.top() + "/proc/a"), "unknown");
}

TEST(Listing, IsSortedByNumber) {
  Tree tree;
  for (const char* name : {"cpu10", "cpu2", "cpu0", "online"}) {
    tree.Write(std::string("sys/") + name, "");
  }
  const Listing listing = ListDirectory(tree.roots().sys);
  EXPECT_EQ(listing.presence, Presence::kRead);
  EXPECT_EQ(listing.names, (std::vector<std::string>{"cpu0", "cpu2", "cpu10", "online"}));
  EXPECT_EQ(ListDirectory(tree.top() + "/none").presence, Presence::kAbsent);
}

TEST(Text, IsTakenApart) {
  EXPECT_EQ(Words(" a\tb  c\n"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(Lines("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(Chosen("always [madvise] never"), "madvise");
  EXPECT_EQ(Chosen("none"), "none");
  EXPECT_EQ(Chosen("a]b["), "a]b[");
  EXPECT_EQ(Trim(" \n"), "");
}

TEST(Text, BecomesANumberOnlyWhole) {
  EXPECT_EQ(ToInteger("950000"), 950000);
  EXPECT_EQ(ToInteger("-1"), -1);
  for (const char* text : {"", "1x", " 1", "1.5", "99999999999999999999"}) {
    EXPECT_EQ(ToInteger(text), std::nullopt) << text;
  }
  EXPECT_EQ(ToNumber("0.08"), 0.08);
  EXPECT_EQ(ToNumber("0,08"), std::nullopt);
}

TEST(OneLine, KeepsUtf8AndNothingElse) {
  EXPECT_EQ(OneLine("Intel\xc2\xae \xe2\x82\xac \xf0\x9f\x90\xa7"),
            "Intel\xc2\xae \xe2\x82\xac \xf0\x9f\x90\xa7");
  EXPECT_EQ(OneLine("a\nb\x7f\x01"), "a b  ");
  EXPECT_EQ(OneLine("\xae\xff"), "??");            // Latin-1
  EXPECT_EQ(OneLine("\xc0\x80"), "??");            // overlong
  EXPECT_EQ(OneLine("\xe0\x80\x80"), "???");       // overlong
  EXPECT_EQ(OneLine("\xed\xa0\x80"), "???");       // surrogate
  EXPECT_EQ(OneLine("\xf4\x90\x80\x80"), "????");  // beyond U+10FFFF
  EXPECT_EQ(OneLine("\xf0\x80\x80\x80"), "????");  // overlong
  EXPECT_EQ(OneLine("x\xe2\x82"), "x??");          // cut
}

TEST(JsonString, EscapesWhatItMust) {
  EXPECT_EQ(JsonString("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(JsonString("a\nb\x1f"), "\"a\\u000ab\\u001f\"");
  EXPECT_EQ(JsonString("\xc2\xb5"), "\"\xc2\xb5\"");
}

TEST(PathBelow, MovesOnlyWhatIsBelow) {
  const Roots roots{"/p", "/s"};
  EXPECT_EQ(PathBelow(roots, "/sys/fs/cgroup"), "/s/fs/cgroup");
  EXPECT_EQ(PathBelow(roots, "/sys"), "/s");
  EXPECT_EQ(PathBelow(roots, "/proc/self"), "/p/self");
  EXPECT_EQ(PathBelow(roots, "/system"), "/system");
  EXPECT_EQ(PathBelow(roots, "/cgroup"), "/cgroup");
}

}  // namespace
}  // namespace ctxgate
