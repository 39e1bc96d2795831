// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/output_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

namespace fs = std::filesystem;

fs::path FolderOf(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// ".<name>.ctxgate-<pid>.tmp": hidden, and the pid tells whether its writer still lives.
std::string TemporaryPrefix(const std::string& path) {
  return "." + fs::path(path).filename().string() + ".ctxgate-";
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void RemoveStaleTemporaries(const std::string& path) {
  std::error_code ignored;
  const std::string prefix = TemporaryPrefix(path);
  for (const auto& entry : fs::directory_iterator(FolderOf(path), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const pid_t writer = std::atoi(name.c_str() + prefix.size());
    if (writer <= 0 || (kill(writer, 0) != 0 && errno == ESRCH)) fs::remove(entry, ignored);
  }
}

MaybeFailure CannotWrite(const std::string& path, int error_number) {
  return Error(WithErrno("cannot write " + path, error_number));
}

std::string TemporaryOf(const std::string& path) {
  return FolderOf(path) / (TemporaryPrefix(path) + std::to_string(getpid()) + ".tmp");
}

// False where the file system has no unnamed files, or where /proc/self/fd is closed to us, as it
// is to a program with file capabilities.
bool LinkUnnamed(const std::string& path, const std::string& temporary, std::string_view text) {
  FileDescriptor file(open(FolderOf(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (!file.is_open() || !WriteAll(file.get(), text)) return false;
  const std::string self = "/proc/self/fd/" + std::to_string(file.get());
  const auto link_to = [&](const std::string& name) {
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  // Straight into place where nothing is there yet, so that no other name ever exists.
  if (link_to(path)) return true;
  return errno == EEXIST && link_to(temporary) && std::rename(temporary.c_str(), path.c_str()) == 0;
}

bool IsSpecial(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

MaybeFailure CanWrite(const std::string& path) {
  const fs::path folder = FolderOf(path);
  if (access(folder.c_str(), W_OK | X_OK) != 0) return CannotWrite(path, errno);
  if (fs::is_directory(path)) return CannotWrite(path, EISDIR);
  return {};
}

MaybeFailure WriteWhole(const std::string& path, std::string_view text) {
  if (IsSpecial(path)) {
    FileDescriptor device(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!device.is_open() || !WriteAll(device.get(), text)) return CannotWrite(path, errno);
    return {};
  }
  RemoveStaleTemporaries(path);
  const std::string temporary = TemporaryOf(path);
  if (LinkUnnamed(path, temporary, text)) return {};
  FileDescriptor file(
      open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.is_open() && WriteAll(file.get(), text) &&
      std::rename(temporary.c_str(), path.c_str()) == 0) {
    return {};
  }
  const int error_number = errno;
  unlink(temporary.c_str());
  return CannotWrite(path, error_number);
}

}  // namespace ctxgate
