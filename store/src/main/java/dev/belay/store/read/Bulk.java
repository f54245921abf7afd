package dev.belay.store.read;

import dev.belay.domain.bulk.BulkState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a bulk operation.
 *
 * @param rate items a second; null means as many as possible
 * @param preview what matched at the request
 * @param reason why it ended early; null when it did not
 * @param matched items that it has dealt with: {@code changed} and {@code refused}
 * @param reasons how many were refused, by reason
 * @param refusals the first of them
 */
public record Bulk(
    UUID id,
    String tenant,
    String kind,
    Json filter,
    @Nullable Integer priority,
    String note,
    @Nullable Double rate,
    Json preview,
    BulkState state,
    @Nullable String reason,
    long matched,
    long changed,
    long refused,
    Json reasons,
    Json refusals,
    Instant createdAt,
    String createdBy,
    @Nullable Instant endedAt) {}
