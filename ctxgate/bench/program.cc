// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/program.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <regex>
#include <sstream>

#include "ctxgate/bench/benchmark_set.h"
#include "ctxgate/bench/facts/cpu_list.h"
#include "ctxgate/bench/facts/cpu_time.h"
#include "ctxgate/bench/facts/facts.h"
#include "ctxgate/bench/facts/fitness.h"
#include "ctxgate/bench/options.h"
#include "ctxgate/bench/output_file.h"
#include "ctxgate/bench/run.h"
#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/duty_cycle.h"
#include "ctxgate/bench/task/ignored_signal.h"

namespace ctxgate {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitBroken = 3;
constexpr int kExitRefused = 6;

int ExitCodeOf(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kUsage:
      return kExitUsage;
    case Failure::Kind::kRefused:
      return kExitRefused;
    case Failure::Kind::kError:
      break;
  }
  return kExitBroken;
}

int Fail(const Failure& failure, std::ostream& err) {
  err << "ctxgate-bench: " << failure.message << "\n";
  return ExitCodeOf(failure.kind);
}

// The groups of which at least one name matches, in random order.
std::vector<std::unique_ptr<Group>> Select(const Options& options) {
  const std::regex filter(options.filter);
  auto groups = MakeGroups(options.scheduling_class);
  std::erase_if(groups, [&](const auto& group) {
    return std::ranges::none_of(
        group->Names(), [&](const std::string& name) { return std::regex_search(name, filter); });
  });
  std::shuffle(groups.begin(), groups.end(), std::mt19937_64(options.seed));
  return groups;
}

int List(const Options& options, std::ostream& out) {
  const std::regex filter(options.filter);
  for (const auto& group : MakeGroups(options.scheduling_class)) {
    for (const std::string& name : group->Names()) {
      if (std::regex_search(name, filter)) out << name << "\n";
    }
  }
  return 0;
}

int PrintFacts(const Roots& roots, int cpu, std::ostream& out) {
  out << FactsJson(CollectFacts(roots, cpu), JudgeFitness(roots, cpu)) << "\n";
  return out.good() ? 0 : kExitBroken;
}

MaybeFailure CheckRequired(const Options& options) {
  if (options.require.empty()) return {};
  const std::regex required(options.require);
  for (const auto& group : MakeGroups(options.scheduling_class)) {
    for (const std::string& name : group->Names()) {
      if (std::regex_search(name, required)) return {};
    }
  }
  return Failure{Failure::Kind::kUsage,
                 "--require '" + options.require + "' matches no benchmark; see --list"};
}

bool IsInTheWay(const Requirement& requirement, const Options& options) {
  if (requirement.state != Requirement::State::kBad) return false;
  const bool needs_fifo = options.scheduling_class != SchedulingClass::kOther;
  const std::string& name = requirement.requirement;
  if (name == "fifo" || name == "rt_budget" || name == "memory_lock") return needs_fifo;
  return requirement.required;
}

// All that stands in the way of a valid reading, told at once with its remedies.
bool IsFit(const Options& options, const Roots& roots, int cpu, std::ostream& err) {
  bool fit = true;
  for (const Requirement& requirement : JudgeFitness(roots, cpu)) {
    if (!IsInTheWay(requirement, options)) continue;
    err << "ctxgate-bench: unfit machine: " << requirement.requirement << ": " << requirement.found
        << ". Remedy: " << requirement.remedy << "\n";
    fit = false;
  }
  return fit;
}

int Measure(const Options& options, const Roots& roots, int cpu, std::ostream& out,
            std::ostream& err) {
  if (auto failure = CheckRequired(options)) return Fail(*failure, err);
  const auto groups = Select(options);
  if (groups.empty()) {
    return Fail(
        {Failure::Kind::kUsage, "no benchmark matches '" + options.filter + "'; see --list"}, err);
  }
  if (!options.out.empty()) {
    if (auto failure = CanWrite(options.out)) return Fail(*failure, err);
  }
  if (!IsFit(options, roots, cpu, err)) return kExitRefused;
  Setting setting;
  setting.cpu = cpu;
  setting.cpu_is_isolated = Holds(IsolatedCpus(roots), cpu);
  setting.deadline_seconds = options.deadline_seconds;
  const RealTimeBudget budget = ReadRealTimeBudget(roots);
  setting.busy_share = DutyCycle::ShareFor(budget.runtime_us, budget.period_us);
  Run run(options, setting, roots);
  std::ostringstream json;
  const RunOutcome outcome = run.Execute(groups, json, err);
  if (outcome.refused) return kExitRefused;  // no file: there is no reading in it
  if (options.out.empty()) {
    out << json.str() << std::flush;
    return out.good() && outcome.proven ? 0 : kExitBroken;
  }
  if (auto failure = WriteWhole(options.out, json.str())) return Fail(*failure, err);
  return outcome.proven ? 0 : kExitBroken;
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  const IgnoredSignal no_sigpipe(SIGPIPE);  // a reader that is gone is an exit of 3
  Options options;
  if (auto failure = ParseOptions(arguments, &options)) return Fail(*failure, err);
  const Roots roots;
  const std::vector<int> allowed = AllowedCpus();
  const int cpu = options.cpu.value_or(ChooseCpu(allowed, IsolatedCpus(roots)));
  switch (options.action) {
    case Options::Action::kHelp:
      out << UsageText();
      return 0;
    case Options::Action::kVersion:
      out << "ctxgate-bench " CTXGATE_VERSION "\n";
      return 0;
    case Options::Action::kList:
      return List(options, out);
    case Options::Action::kFacts:
      return PrintFacts(roots, cpu, out);
    case Options::Action::kMeasure:
      break;
  }
  return Measure(options, roots, cpu, out, err);
}

}  // namespace ctxgate
