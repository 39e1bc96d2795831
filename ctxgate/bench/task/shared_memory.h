// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_SHARED_MEMORY_H_
#define CTXGATE_BENCH_TASK_SHARED_MEMORY_H_

#include <sys/mman.h>

#include <new>
#include <type_traits>

namespace ctxgate {

// One object in memory that this process shares with those it forks (mmap(2), MAP_SHARED).
template <typename Object>
class SharedMemory {
  static_assert(std::is_trivially_destructible_v<Object>);

 public:
  SharedMemory() = default;
  ~SharedMemory() {
    if (object_ != nullptr) munmap(object_, sizeof(Object));
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // False, with errno set, where the kernel refuses.
  bool Open() {
    void* memory =
        mmap(nullptr, sizeof(Object), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    object_ = new (memory) Object();
    return true;
  }

  Object& operator*() const { return *object_; }
  Object* operator->() const { return object_; }

 private:
  Object* object_ = nullptr;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_SHARED_MEMORY_H_
