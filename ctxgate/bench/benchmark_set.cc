// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/benchmark_set.h"

#include <utility>

namespace ctxgate {
namespace {

class PathGroup final : public Group {
 public:
  PathGroup(const PathDefinition& definition, Entity entity, SchedulingClass scheduling_class)
      : definition_(definition), entity_(entity), scheduling_class_(scheduling_class) {}

  std::vector<std::string> Names() const override {
    const std::string place = std::string("/").append(NameOf(entity_)) + "/" +
                              std::string(NameOf(scheduling_class_)) + "/same_cpu";
    const std::string path(definition_.name);
    return {"switch/" + path + place, "twin/" + path + place, "twin/null_syscall" + place};
  }

  int64_t TimedRoundTrips(const Plan& plan) const override {
    return int64_t{plan.batches} * plan.round_trips;
  }

  std::vector<Result> Measure(const Setting& setting) const override {
    PathResult measured;
    const MaybeFailure failure =
        MeasurePath(definition_, PlaceIn(setting), setting.plan, setting.busy_share, &measured);
    const std::vector<std::string> names = Names();
    return {
        Make(names[0], std::move(measured.path), definition_.Expected(scheduling_class_), failure),
        Make(names[1], std::move(measured.twin), {}, failure),
        Make(names[2], std::move(measured.null_syscall), {}, failure)};
  }

  void Audit(const Setting& setting, std::vector<Result>* results) const override {
    Result& path = results->front();
    if (path.failure) return;
    path.failure = AuditPath(definition_, PlaceIn(setting), setting.plan, setting.cpu_is_isolated,
                             &path.measurement.evidence);
  }

 private:
  Result Make(const std::string& name, Measurement measurement, const ExpectedSwitches& expected,
              const MaybeFailure& failure) const {
    return {name,     definition_.version, std::move(measurement),
            expected, scheduling_class_,   failure};
  }

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
    Result result{Names()[0], definition_.version, {}, {}, SchedulingClass::kOther, {}};
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
