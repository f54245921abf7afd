package dev.belay.store.read;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker as it was last seen.
 *
 * @param active how many DISPATCHED and RUNNING tasks it holds
 * @param trouble why it takes no work for now
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
