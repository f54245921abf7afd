package dev.belay.domain.fair;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task queue in which a task waits.
 *
 * @param group task queues of different groups do not compete for workers, so one of them does not
 *     count in another
 * @param workflow null for tasks without a run
 * @param priority of the first task
 * @param since when the first task became eligible
 */
public record Waiting(
    String group, String tenant, @Nullable String workflow, int priority, Instant since) {}
