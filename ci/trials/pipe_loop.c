// SPDX-License-Identifier: Apache-2.0
// The least program that does what switch/pipe/process/fifo/same_cpu does: two processes, one CPU,
// SCHED_FIFO, one byte to and fro. Prints ns a round trip over one loop; usage: pipe_loop CPU COUNT.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void take_place(int cpu) {
  cpu_set_t mask;
  struct sched_param parameter = {.sched_priority = 49};
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  if (mlockall(MCL_CURRENT | MCL_FUTURE) || sched_setaffinity(0, sizeof(mask), &mask) ||
      sched_setscheduler(0, SCHED_FIFO, &parameter)) {
    perror("pipe_loop");
    exit(6);
  }
}

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char** argv) {
  int there[2], back[2];
  char byte = 0;
  const int cpu = argc > 1 ? atoi(argv[1]) : 0;
  const int count = argc > 2 ? atoi(argv[2]) : 12800;
  if (pipe(there) || pipe(back)) return 1;
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    take_place(cpu);
    close(there[1]);
    close(back[0]);
    while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1) {
    }
    _exit(0);
  }
  close(there[0]);
  close(back[1]);
  take_place(cpu);
  for (int i = 0; i < 300; ++i) {
    if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) return 1;
  }
  struct rusage before, after;
  getrusage(RUSAGE_THREAD, &before);
  const long long start = now_ns();
  for (int i = 0; i < count; ++i) {
    if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) return 1;
  }
  const long long end = now_ns();
  getrusage(RUSAGE_THREAD, &after);
  printf("%.1f %ld\n", (double)(end - start) / count, after.ru_nvcsw - before.ru_nvcsw);
  return 0;
}
