package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.session.wire.Offer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A row of the table worker. */
final class WorkerRow implements Cloneable {
  final WorkerId id;
  String name = "";
  Set<String> pools = Set.of();
  Offer offer = new Offer(List.of(), 1, Map.of());
  int withheldSlots;
  float cpuPercent;
  float gpuPercent;
  @Nullable SessionId session;
  long connection;
  String replica = "";
  String state = "CONNECTED";
  boolean closedByPeer;
  Instant connectedAt = Instant.EPOCH;
  Instant lastSeenAt = Instant.EPOCH;
  @Nullable Instant disconnectedAt;
  long heartbeatNumber;
  Set<DispatchId> preparing = Set.of();

  /** Empty when all is well. */
  String trouble = "";

  WorkerRow(WorkerId id) {
    this.id = id;
  }

  WorkerRow copy() {
    try {
      return (WorkerRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
