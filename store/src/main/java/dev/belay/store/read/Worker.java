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
 * @param memoryBytes what its tasks may use together; null when it did not declare that
 * @param freeSlots how many more tasks it would take, by its own account
 * @param setAsideAt since when it gets no new work, because tasks failed fast and often there
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
    @Nullable String trouble,
    List<String> capabilities,
    @Nullable Long memoryBytes,
    @Nullable Integer cpuMillis,
    @Nullable Integer freeSlots,
    @Nullable Float cpuPercent,
    @Nullable Float gpuPercent,
    @Nullable Instant setAsideAt,
    @Nullable String setAsideReason) {

  public Worker {
    pools = List.copyOf(pools);
    capabilities = List.copyOf(capabilities);
  }
}
