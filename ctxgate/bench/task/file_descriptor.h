// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_FILE_DESCRIPTOR_H_
#define CTXGATE_BENCH_TASK_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace ctxgate {

// Owns one file descriptor and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~FileDescriptor() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// Both ends of a pipe(2), close-on-exec.
struct PipeEnds {
  FileDescriptor read_end;
  FileDescriptor write_end;

  // False, with errno set, where the kernel refuses.
  bool Open();
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_FILE_DESCRIPTOR_H_
