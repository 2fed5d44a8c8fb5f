//===- Outcome.h - success, or why not --------------------------*- C++ -*-===//
//
// The runtime has no exceptions: what can fail returns an Outcome.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_OUTCOME_H
#define FUSION_LIB_RUNTIME_OUTCOME_H

#include <string>
#include <utility>

namespace mlir::fusion::runtime {

/// Returns the text that printf would print.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/// Success, or the message of a failure. A success allocates nothing.
class [[nodiscard]] Outcome {
public:
  static Outcome success() { return Outcome(); }
  /// A failure whose message is formatted as by printf.
  static Outcome failure(const char *pattern, ...)
      __attribute__((format(printf, 1, 2)));

  bool failed() const { return hasFailed; }
  const std::string &getMessage() const { return message; }

  /// The same outcome; a failure tells what it happened to: "what: message".
  Outcome within(const std::string &what) &&;

private:
  bool hasFailed = false;
  std::string message;
};

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_OUTCOME_H
