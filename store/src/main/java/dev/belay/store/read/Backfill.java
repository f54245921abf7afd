package dev.belay.store.read;

import dev.belay.domain.backfill.BackfillState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a backfill.
 *
 * @param trigger the name of its trigger, or the expression that came with the request
 * @param params null in a list when they are too big for it
 * @param reason why it does not continue; null while it does
 * @param fired how many instants have got a run
 * @param skipped how many have got none
 * @param nextInstant the first instant that is not decided; null when all are
 * @param open how many of its runs are QUEUED or RUNNING
 */
public record Backfill(
    UUID id,
    String tenant,
    String workflow,
    @Nullable UUID triggerId,
    String trigger,
    Instant from,
    Instant to,
    String order,
    int concurrency,
    String existing,
    @Nullable Json params,
    BackfillState state,
    @Nullable String reason,
    int total,
    int fired,
    int skipped,
    @Nullable Instant nextInstant,
    long open,
    boolean workflowPaused,
    Instant createdAt,
    String createdBy,
    @Nullable Instant endedAt) {}
