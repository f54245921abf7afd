package dev.belay.workflow;

import java.util.Optional;

/** Numbers from text; a text that is none is an ordinary answer. */
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
