package dev.belay.domain.fair;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Raises the priority of tasks that wait.
 *
 * @param step a task gains one point of priority each time it has waited for so long; zero means
 *     never
 */
public record Ageing(Duration step) {
  public static final Ageing OFF = new Ageing(Duration.ZERO);
  public static final int PRIORITY_MAX = 100;

  public Ageing {
    if (step.isNegative()) {
      throw new IllegalArgumentException("step must not be negative, not " + step);
    }
  }

  /** The priority that decides now. */
  public int effective(int priority, Instant since, Instant now) {
    if (step.isZero() || priority >= PRIORITY_MAX || !now.isAfter(since)) {
      return priority;
    }
    long steps = Duration.between(since, now).dividedBy(step);
    return (int) Math.min(PRIORITY_MAX, priority + steps);
  }

  /** When the priority rises next; empty when it does not. */
  Optional<Instant> risesAt(int priority, Instant since, Instant now) {
    int effective = effective(priority, since, now);
    return step.isZero() || effective >= PRIORITY_MAX
        ? Optional.empty()
        : Optional.of(since.plus(step.multipliedBy(effective - priority + 1L)));
  }
}
