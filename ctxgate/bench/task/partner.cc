// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/partner.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "ctxgate/bench/proof/switch_event.h"
#include "ctxgate/bench/proof/thread_cpu_time.h"
#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/deadline.h"
#include "ctxgate/bench/task/limits.h"

namespace ctxgate {

struct Partner::Command {
  int round_trips = 0;  // 0: end
  bool audit = false;
};

std::string_view NameOf(Entity entity) { return entity == Entity::kProcess ? "process" : "thread"; }

Partner::Partner(SwitchPath* path, Entity entity, SchedulingClass scheduling_class, int cpu)
    : path_(path), entity_(entity), scheduling_class_(scheduling_class), cpu_(cpu) {}

Partner::~Partner() {
  lifeline_.read_end.Close();   // its end is wanted now
  commands_.write_end.Close();  // a sleeping partner sees end of file and leaves
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  while (thread_runs_) {
    // A thread that sleeps in a hand-over gets an interrupting signal until it has left.
    timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 20'000'000;
    if (soon.tv_nsec >= 1'000'000'000) soon = {soon.tv_sec + 1, soon.tv_nsec - 1'000'000'000};
    if (pthread_timedjoin_np(thread_, nullptr, &soon) == 0) break;
    pthread_kill(thread_, SIGALRM);
  }
}

MaybeFailure Partner::Start() {
  if (!board_.Open()) return Error(WithErrno("shared memory for the partner", errno));
  if (!commands_.Open() || !replies_.Open() || !lifeline_.Open()) {
    return Error(WithErrno("pipe", errno));
  }
  auto failure = entity_ == Entity::kProcess ? StartProcess() : StartThread();
  if (!failure) failure = AwaitReply("start");
  return failure;
}

MaybeFailure Partner::StartProcess() {
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) return Error(WithErrno("fork", errno));
  if (pid_ == 0) {
    // Set here and not inherited, since exec of a file with capabilities clears it; a parent that
    // died before this line is noticed by the comparison.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    commands_.write_end.Close();
    replies_.read_end.Close();
    lifeline_.read_end.Close();
    path_->CloseLeaderEnds();
    Serve();
    _exit(0);  // no destructors: they would undo what belongs to the parent
  }
  commands_.read_end.Close();
  replies_.write_end.Close();
  lifeline_.write_end.Close();
  Deadline::Watch(lifeline_.read_end.get());
  path_->ClosePartnerEnds();
  return {};
}

MaybeFailure Partner::StartThread() {
  // The usual stack of 8 MiB, locked, would fill the usual limit of locked memory.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  const int error = pthread_create(
      &thread_, &attributes,
      [](void* self) -> void* {
        static_cast<Partner*>(self)->Serve();
        return nullptr;
      },
      this);
  pthread_attr_destroy(&attributes);
  if (error != 0) return Error(WithErrno("pthread_create", error));
  thread_runs_ = true;
  return {};
}

// Runs in the partner, for its whole life.
void Partner::Serve() {
  ScopedMemoryLock memory;
  ScopedRealTimeLimit limit;
  PinnedToCpu affinity;
  ScopedSchedulingClass scheduling_class;
  // A thread shares its process's memory lock; under OTHER nothing is locked.
  const bool locks = entity_ == Entity::kProcess && scheduling_class_ == SchedulingClass::kFifo;
  MaybeFailure failure = locks ? memory.Lock() : MaybeFailure{};
  if (!failure) failure = affinity.Pin(cpu_);
  if (!failure) failure = scheduling_class.Enter(scheduling_class_);
  if (failure) {
    board_->kind = failure->kind;
    board_->call = failure->call;
    board_->error_number = failure->error_number;
    const std::size_t size = std::min(failure->message.size(), sizeof(board_->message) - 1);
    std::memcpy(board_->message, failure->message.data(), size);
  }
  if (write(replies_.write_end.get(), "", 1) != 1 || failure) return;
  Command command;
  while (read(commands_.read_end.get(), &command, sizeof(command)) == sizeof(command) &&
         command.round_trips > 0) {
    if (!ServeBatch(command)) return;
  }
}

bool Partner::ServeBatch(const Command& command) {
  SwitchEvent event;
  PartnerBatch& batch = board_->batch;
  batch = {};
  if (command.audit) event.OpenForThisTask();
  if (write(replies_.write_end.get(), "", 1) != 1) return false;
  const double cpu_before = ThreadCpuSeconds();
  const TaskCounts before = ReadTaskCounts();
  const std::optional<int64_t> event_before = event.Read();
  batch.completed = path_->Follow(command.round_trips);
  batch.error_number = batch.completed ? 0 : errno;
  const std::optional<int64_t> event_after = event.Read();
  batch.counts = ReadTaskCounts() - before;
  batch.cpu_seconds = ThreadCpuSeconds() - cpu_before;
  if (event_before && event_after) batch.event_switches = *event_after - *event_before;
  batch.pinned = RunsOnlyOn(cpu_);
  batch.in_class = InClass(scheduling_class_);
  return write(replies_.write_end.get(), "", 1) == 1 && batch.completed;
}

MaybeFailure Partner::AwaitReply(std::string_view what) {
  char reply;
  const ssize_t got = read(replies_.read_end.get(), &reply, 1);
  if (got == 1) {
    if (board_->message[0] == '\0') return {};
    return Failure{board_->kind, std::string("partner: ") + board_->message, board_->call,
                   board_->error_number};
  }
  if (Deadline::Passed()) {
    return Error("the deadline passed while waiting for the partner (" + std::string(what) + ")");
  }
  const std::string fate = Fate();
  return Error("the partner is gone (" + std::string(what) + ")" +
               (fate.empty() ? "" : ": it " + fate));
}

MaybeFailure Partner::BeginBatch(int round_trips, bool audit) {
  const Command command{round_trips, audit};
  if (write(commands_.write_end.get(), &command, sizeof(command)) != sizeof(command)) {
    const std::string fate = Fate();
    return Error("the partner takes no commands" + (fate.empty() ? "" : ": it " + fate));
  }
  return AwaitReply("begin of a batch");
}

MaybeFailure Partner::EndBatch(PartnerBatch* batch) {
  auto failure = AwaitReply("end of a batch");
  if (failure) return failure;
  *batch = board_->batch;
  if (!batch->completed) return Error(WithErrno("partner: hand-over failed", batch->error_number));
  return {};
}

std::string Partner::Fate() {
  if (pid_ <= 0) return fate_;
  int status = 0;
  // A partner that was killed is a zombie within microseconds of its pipes' end of file.
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      if (WIFSIGNALED(status)) fate_ = "was killed by signal " + std::to_string(WTERMSIG(status));
      if (WIFEXITED(status)) fate_ = "exited with " + std::to_string(WEXITSTATUS(status));
      return fate_;
    }
    usleep(5000);
  }
  return fate_;
}

}  // namespace ctxgate
