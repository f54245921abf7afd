package dev.belay.store.read;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last known state of a worker.
 *
 * @param active number of its DISPATCHED and RUNNING tasks
 * @param trouble why it currently takes no work
 */
public record Worker(
    UUID id,
    String name,
    String state,
    List<String> pools,
    int slots,
    long active,
    Json labels,
    String version,
    String platform,
    UUID session,
    String replica,
    Instant startedAt,
    Instant connectedAt,
    Instant lastSeenAt,
    @Nullable Instant disconnectedAt,
    @Nullable String trouble) {

  public Worker {
    pools = List.copyOf(pools);
  }
}
