import Glibc

/// The standard input, output and error of this process.
package enum StandardDescriptors {
  /// Opens those that are closed. Otherwise the first file opened, such as the database, could get the number of
  /// standard error, and log output would go into it.
  ///
  /// What is written to an output that was closed still fails, so that a lost result is noticed.
  package static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)  // Takes the lowest free number.
    }
  }
}
