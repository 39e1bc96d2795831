// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include "ctxgate/bench/program.h"
#include "ctxgate/bench/task/parent.h"

int main(int argc, char** argv) {
  const char* parent = std::getenv("CTXGATE_PARENT");
  if (!ctxgate::DieWithParent(parent == nullptr ? "" : parent)) return 3;
  return ctxgate::RunProgram({argv + 1, argv + argc}, std::cout, std::cerr);
}
