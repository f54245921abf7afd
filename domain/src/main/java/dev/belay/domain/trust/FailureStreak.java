package dev.belay.domain.trust;

import dev.belay.domain.id.TaskId;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The tasks that failed fast on one worker since something succeeded there. A task counts once: one
 * that fails again and again says little about its worker.
 */
public final class FailureStreak {

  private final TrustSettings settings;
  private final ArrayDeque<Failure> failures = new ArrayDeque<>();

  private record Failure(TaskId task, long atNanos) {}

  public FailureStreak(TrustSettings settings) {
    this.settings = settings;
  }

  public void succeeded() {
    failures.clear();
  }

  /**
   * A longer attempt says neither: it ran, and something else went wrong.
   *
   * @param ran how long the attempt ran; zero when it could not start
   * @param nowNanos by a monotonic clock
   */
  public void failed(TaskId task, Duration ran, long nowNanos) {
    if (ran.compareTo(settings.fast()) >= 0
        || failures.stream().anyMatch(known -> known.task().equals(task))) {
      return;
    }
    failures.addLast(new Failure(task, nowNanos));
    if (failures.size() > 2 * settings.failures()) {
      failures.removeFirst();
    }
  }

  /** How many failures of the window it has. */
  public int length(long nowNanos) {
    while (!failures.isEmpty()
        && nowNanos - failures.getFirst().atNanos() > settings.window().toNanos()) {
      failures.removeFirst();
    }
    return failures.size();
  }
}
