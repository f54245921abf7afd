package dev.belay.store.intake;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task without a run, already validated.
 *
 * @param work what to do, as JSON
 * @param labels a JSON object
 * @param strict a lost attempt must have ended before the next may start
 * @param deadline it must have ended this long after it was stored; null means none
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
