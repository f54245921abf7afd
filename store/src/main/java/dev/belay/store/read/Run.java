package dev.belay.store.read;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a run.
 *
 * @param params null in a list when they are too big for it
 * @param logicalDate the date that the run stands for
 */
public record Run(
    UUID id,
    String tenant,
    String workflow,
    int version,
    RunState state,
    @Nullable String reason,
    @Nullable Json params,
    int generation,
    Instant logicalDate,
    Instant createdAt,
    String createdBy,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant cancelRequestedAt) {}
