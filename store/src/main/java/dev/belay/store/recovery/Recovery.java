package dev.belay.store.recovery;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One recovery as people see it.
 *
 * @param task null when a run stalled
 * @param runningAgainAt null until it runs again; stays null when it ends instead
 * @param detectedMs from the last sign of life
 * @param runningAgainMs from the last sign of life
 * @param open it may still run again
 */
public record Recovery(
    long id,
    String kind,
    @Nullable UUID task,
    @Nullable String taskName,
    @Nullable UUID run,
    @Nullable UUID dispatch,
    @Nullable UUID worker,
    @Nullable String workerName,
    Instant lastSignAt,
    Instant detectedAt,
    @Nullable Instant runningAgainAt,
    long promisedMs,
    long detectedMs,
    @Nullable Long runningAgainMs,
    boolean late,
    boolean open) {}
