package dev.belay.store.promise;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How many runs kept a promise.
 *
 * @param promise {@code timeout}, {@code deadline} or {@code expect_by}
 * @param worstMs how far the worst run went beyond its limit
 * @param workflow of the worst run, or of the last one that was missing
 * @param run the worst
 */
public record KeptPromise(
    String promise,
    long kept,
    long broken,
    @Nullable Long worstMs,
    @Nullable String workflow,
    @Nullable UUID run) {}
