package dev.belay.workflow;

import java.util.Optional;

/** Parses numbers; text that is not a number is an ordinary result. */
final class Numbers {

  private Numbers() {}

  static Optional<Long> whole(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static Optional<Double> finite(String text) {
    try {
      return Optional.of(Double.parseDouble(text)).filter(Double::isFinite);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
