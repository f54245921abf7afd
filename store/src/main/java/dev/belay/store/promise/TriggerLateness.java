package dev.belay.store.promise;

import org.jspecify.annotations.Nullable;

/**
 * How late the instants of a trigger fired. Times are null when none fired.
 *
 * @param late fired later than promised
 */
public record TriggerLateness(
    String tenant,
    String workflow,
    String trigger,
    long count,
    @Nullable Long p50Ms,
    @Nullable Long p99Ms,
    @Nullable Long worstMs,
    long late) {}
