// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/benchmark_set.h"

#include <utility>

namespace ctxgate {
namespace {

constexpr int kMostAttempts = 3;

class PathGroup final : public Group {
 public:
  PathGroup(const PathDefinition& definition, Entity entity, SchedulingClass scheduling_class)
      : definition_(definition), entity_(entity), scheduling_class_(scheduling_class) {}

  std::vector<std::string> Names() const override {
    const std::string place = std::string("/").append(NameOf(entity_)) + "/" +
                              std::string(NameOf(scheduling_class_)) + "/same_cpu";
    const std::string path(definition_.name);
    std::vector<std::string> names = {"switch/" + path + place, "twin/" + path + place};
    if (definition_.principal) names.push_back("twin/null_syscall" + place);
    return names;
  }

  int64_t TimedRoundTrips(const Plan& plan) const override {
    return int64_t{PlanOf(plan).batches} * plan.round_trips;
  }

  std::vector<Result> Measure(const Setting& setting) const override {
    PathResult measured;
    MaybeFailure failure;
    int attempts = 0;
    // Others come and go: what they spoilt is measured again before the machine is called unfit.
    do {
      ++attempts;
      measured = {};
      failure = MeasurePath(definition_, PlaceIn(setting), PlanOf(setting.plan), setting.busy_share,
                            &measured);
    } while (!failure && IsOnlyCrowded(measured.path.evidence) && attempts < kMostAttempts);
    if (!failure && IsOnlyCrowded(measured.path.evidence))
      failure = Crowded(measured.path.evidence);
    const std::vector<std::string> names = Names();
    std::vector<Result> results = {
        Make(names[0], std::move(measured.path), definition_.Expected(scheduling_class_), failure),
        Make(names[1], std::move(measured.twin), {}, failure)};
    if (definition_.principal) {
      results.push_back(Make(names[2], std::move(measured.null_syscall), {}, failure));
    }
    for (Result& result : results) result.attempts = attempts;
    return results;
  }

  void Audit(const Setting& setting, std::vector<Result>* results) const override {
    Result& path = results->front();
    if (path.failure) return;
    path.failure = AuditPath(definition_, PlaceIn(setting), PlanOf(setting.plan),
                             setting.cpu_is_isolated, &path.measurement.evidence);
  }

 private:
  // What is not proven is broken, however busy the machine was.
  bool IsOnlyCrowded(const Evidence& evidence) const {
    return IsCrowded(evidence) &&
           !WhyUnproven(evidence, definition_.Expected(scheduling_class_), scheduling_class_);
  }

  static MaybeFailure Crowded(const Evidence& evidence) {
    return Failure{
        Failure::Kind::kRefused,
        "others ran on the CPU in " + std::to_string(evidence.crowded_batches) + " of " +
            std::to_string(evidence.batches) + " batches, in each of " +
            std::to_string(kMostAttempts) +
            " attempts: the machine is busy. Remedy: end what loads it (`ctxgate doctor` "
            "shows the load), measure on an isolated CPU, or only --class fifo, which ordinary "
            "tasks cannot disturb"};
  }

  Result Make(const std::string& name, Measurement measurement, const ExpectedSwitches& expected,
              const MaybeFailure& failure) const {
    return {name,   definition_.version, std::move(measurement), expected, scheduling_class_, 1,
            failure};
  }

  Plan PlanOf(const Plan& plan) const { return definition_.principal ? plan : plan.Halved(); }

  Place PlaceIn(const Setting& setting) const {
    return {entity_, scheduling_class_, setting.cpu, setting.deadline_seconds};
  }

  const PathDefinition& definition_;
  const Entity entity_;
  const SchedulingClass scheduling_class_;
};

class CanaryGroup final : public Group {
 public:
  explicit CanaryGroup(const CanaryDefinition& definition) : definition_(definition) {}

  std::vector<std::string> Names() const override {
    return {"canary/" + std::string(definition_.name)};
  }

  int64_t TimedRoundTrips(const Plan& plan) const override {
    return int64_t{plan.batches} * kCanaryBlocks * definition_.block;
  }

  std::vector<Result> Measure(const Setting& setting) const override {
    Result result{Names()[0], definition_.version, {}, {}, SchedulingClass::kOther, 1, {}};
    result.failure =
        MeasureCanary(definition_, setting.cpu, setting.plan.batches, &result.measurement);
    return {result};
  }

  void Audit(const Setting&, std::vector<Result>*) const override {}

 private:
  const CanaryDefinition& definition_;
};

}  // namespace

std::vector<std::unique_ptr<Group>> MakeGroups(std::optional<SchedulingClass> scheduling_class) {
  std::vector<std::unique_ptr<Group>> groups;
  for (const PathDefinition& path : AllPaths()) {
    for (const Entity entity : {Entity::kProcess, Entity::kThread}) {
      for (const auto candidate : {SchedulingClass::kFifo, SchedulingClass::kOther}) {
        if (scheduling_class.value_or(candidate) != candidate) continue;
        groups.push_back(std::make_unique<PathGroup>(path, entity, candidate));
      }
    }
  }
  for (const CanaryDefinition& canary : AllCanaries()) {
    groups.push_back(std::make_unique<CanaryGroup>(canary));
  }
  return groups;
}

}  // namespace ctxgate
