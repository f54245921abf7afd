package dev.belay.domain.wait;

import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as far as it matters for its waiting.
 *
 * @param since when it came into its state
 * @param turn of its run; null without one, or where it does not matter
 * @param dependencies names of tasks that it depends on and that are not over
 */
public record WaitingTask(
    TaskState state,
    String pool,
    Instant since,
    @Nullable Instant notBefore,
    @Nullable Instant leaseEndsAt,
    @Nullable RunTurn turn,
    List<String> dependencies) {

  public WaitingTask {
    dependencies = List.copyOf(dependencies);
  }
}
