//===- Outcome.cpp - success, or why not ----------------------------------===//

#include "Outcome.h"

#include <cstdarg>
#include <cstdio>

using namespace mlir::fusion::runtime;

static std::string formatList(const char *pattern, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, pattern, again);
  va_end(again);
  if (length <= 0) {
    return std::string();
  }
  std::string text(static_cast<size_t>(length) + 1, '\0');
  vsnprintf(&text[0], text.size(), pattern, arguments);
  text.pop_back();
  return text;
}

std::string mlir::fusion::runtime::format(const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  std::string text = formatList(pattern, arguments);
  va_end(arguments);
  return text;
}

Outcome Outcome::failure(const char *pattern, ...) {
  Outcome outcome;
  outcome.hasFailed = true;
  va_list arguments;
  va_start(arguments, pattern);
  outcome.message = formatList(pattern, arguments);
  va_end(arguments);
  return outcome;
}

Outcome Outcome::within(const std::string &what) && {
  if (hasFailed) {
    message = what + ": " + message;
  }
  return std::move(*this);
}
