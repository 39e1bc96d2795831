// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/options.h"

#include <charconv>
#include <functional>
#include <regex>

namespace ctxgate {
namespace {

MaybeFailure Usage(std::string message) {
  return Failure{Failure::Kind::kUsage, std::move(message) + "; see --help"};
}

template <typename Number>
MaybeFailure ReadNumber(const std::string& option, const std::string& text, Number least,
                        Number* value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  if (error != std::errc() || stop != end || *value < least) {
    return Usage(option + " takes a whole number from " + std::to_string(least) + ", not '" + text +
                 "'");
  }
  return {};
}

MaybeFailure ReadRegex(const std::string& option, const std::string& text, std::string* value) {
  try {
    const std::regex checked(text);
  } catch (const std::regex_error& error) {
    return Usage(option + " '" + text + "' is no regular expression: " + error.what());
  }
  *value = text;
  return {};
}

MaybeFailure ReadClass(const std::string& text, Options* options) {
  for (const auto candidate : {SchedulingClass::kFifo, SchedulingClass::kOther}) {
    if (text == NameOf(candidate)) {
      options->scheduling_class = candidate;
      return {};
    }
  }
  return Usage("--class takes fifo or other, not '" + text + "'");
}

MaybeFailure ReadContext(const std::string& text, Options* options) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Usage("--context takes KEY=VALUE, not '" + text + "'");
  }
  const std::string key = text.substr(0, equals);
  if (!options->context.emplace(key, text.substr(equals + 1)).second) {
    return Usage("--context names " + key + " twice");
  }
  return {};
}

MaybeFailure ReadValue(const std::string& option, const std::string& value, Options* options) {
  if (option == "--filter" || option == "--benchmark_filter") {
    return ReadRegex(option, value, &options->filter);
  }
  if (option == "--require") return ReadRegex(option, value, &options->require);
  if (option == "--cpu") return ReadNumber(option, value, 0, &options->cpu.emplace());
  if (option == "--class") return ReadClass(value, options);
  if (option == "--seed") return ReadNumber<uint64_t>(option, value, 0, &options->seed);
  if (option == "--deadline") return ReadNumber(option, value, 1, &options->deadline_seconds);
  if (option == "--context") return ReadContext(value, options);
  if (option == "--out" || option == "--benchmark_out") {
    if (value.empty()) return Usage(option + " takes a file");
    options->out = value;
    return {};
  }
  if (option == "--benchmark_format" || option == "--benchmark_out_format") {
    return value == "json" ? MaybeFailure{} : Usage(option + ": only json is written");
  }
  return Usage("unknown option " + option);
}

bool ReadFlag(const std::string& argument, Options* options) {
  if (argument == "--audit") return options->audit = true;
  const std::map<std::string_view, Options::Action> flags = {
      {"--facts", Options::Action::kFacts},
      {"--list", Options::Action::kList},
      {"--benchmark_list_tests", Options::Action::kList},
      {"--benchmark_list_tests=true", Options::Action::kList},
      {"--help", Options::Action::kHelp},
      {"-h", Options::Action::kHelp},
      {"--version", Options::Action::kVersion}};
  const auto found = flags.find(argument);
  if (found == flags.end()) return false;
  // --facts wins over a listing, so that one call tells this program from others.
  if (options->action != Options::Action::kFacts) options->action = found->second;
  return true;
}

}  // namespace

MaybeFailure ParseOptions(const std::vector<std::string>& arguments, Options* options) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (ReadFlag(argument, options)) continue;
    if (!argument.starts_with("--")) return Usage("unexpected argument '" + argument + "'");
    const std::size_t equals = argument.find('=');
    const std::string option = argument.substr(0, equals);
    std::string value;
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    } else {
      return Usage(option + " is unknown or lacks its value");
    }
    if (auto failure = ReadValue(option, value, options)) return failure;
  }
  return {};
}

std::string_view UsageText() {
  return R"(usage: ctxgate-bench [options]

Measures what handing over from one task to another costs and proves it by the kernel's own count of
switches. Writes Google Benchmark JSON.

  --filter RE         only benchmarks whose name the expression is found in
  --class fifo|other  only this scheduling class (default: both)
  --cpu N             measure on this CPU (default: the highest-numbered isolated one, else the
                      highest-numbered allowed one)
  --out FILE          write there, whole or not at all (default: standard output)
  --require RE        fail where a benchmark that matches cannot be measured on this machine
  --seed N            order of the benchmarks (default: 0)
  --deadline SECONDS  give a benchmark up after that time (default: 30)
  --audit             check the counted switches against perf events in batches of their own (done
                      anyway on an isolated CPU)
  --context KEY=VALUE add to the context of the file; may be repeated
  --facts             print what this machine, kernel and build are, as JSON, and end
  --list              print the benchmarks' names and end
  --version, --help

exit status: 0 measured and proven; 2 wrong command line, or nothing matches; 3 a reading failed or is
not proven, or the output could not be written; 6 the machine refuses the class, the CPU or the lock.
)";
}

}  // namespace ctxgate
