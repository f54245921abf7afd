package dev.belay.domain.wait;

import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a task that decide why it waits.
 *
 * @param since when it entered its state
 * @param tried it had an attempt: its time is that of a retry
 * @param turn of its run; null without a run, or where it does not matter
 * @param dependencies names of its dependencies that have not ended
 */
public record WaitingTask(
    TaskState state,
    Instant since,
    @Nullable Instant notBefore,
    @Nullable Instant leaseEndsAt,
    boolean tried,
    @Nullable RunTurn turn,
    List<String> dependencies) {

  public WaitingTask {
    dependencies = List.copyOf(dependencies);
  }
}
