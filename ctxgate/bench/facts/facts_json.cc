// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "ctxgate/bench/facts/fitness.h"
#include "ctxgate/bench/facts/text.h"

namespace ctxgate {
namespace {

std::string Pair(const std::string& name, const std::string& value) {
  return JsonString(name) + ": " + JsonString(value);
}

std::string MapJson(const FactMap& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    text += (text.empty() ? "\n    " : ",\n    ") + Pair(name, value);
  }
  return "{" + text + (text.empty() ? "}" : "\n  }");
}

const char* StateName(Requirement::State state) {
  switch (state) {
    case Requirement::State::kGood:
      return "good";
    case Requirement::State::kBad:
      return "bad";
    case Requirement::State::kUnknown:
      break;
  }
  return "unknown";
}

std::string RequirementJson(const Requirement& entry) {
  return "{" + Pair("requirement", entry.requirement) + ", " +
         Pair("state", StateName(entry.state)) + ", " + Pair("found", entry.found) + ", " +
         Pair("remedy", entry.remedy) + ", " + JsonString("required") + ": " +
         (entry.required ? "true" : "false") + "}";
}

}  // namespace

std::string FactsJson(const Facts& facts, const std::vector<Requirement>& fitness) {
  std::string list;
  for (const Requirement& entry : fitness) {
    list += (list.empty() ? "\n    " : ",\n    ") + RequirementJson(entry);
  }
  return "{\n  \"identity\": " + MapJson(facts.identity) +
         ",\n  \"subject\": " + MapJson(facts.subject) +
         ",\n  \"record\": " + MapJson(facts.record) + ",\n  \"fitness\": [" + list +
         (list.empty() ? "]" : "\n  ]") + "\n}";
}

}  // namespace ctxgate
