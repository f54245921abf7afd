package dev.belay.store.intake;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A validated task without a run.
 *
 * @param work the task's work, as JSON
 * @param labels a JSON object
 * @param strict a lost attempt must have ended before the next may start
 * @param deadline the longest time from storing the task to its end; null means none
 */
public record NewTask(
    String tenant,
    String name,
    int priority,
    String pool,
    String work,
    String labels,
    boolean strict,
    @Nullable Duration deadline) {}
