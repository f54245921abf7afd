package dev.belay.agent.logs;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How far one log has come; guarded by the shipper's monitor. */
final class Shipment {

  private static final String SUFFIX = ".log";

  final DispatchId dispatch;
  final TaskId task;
  final Path file;
  final CompletableFuture<Void> shipped = new CompletableFuture<>();

  /** Bytes in the file. */
  long length;

  /** Bytes that the server has; the next chunk begins here. */
  long acked;

  long sentEnd;
  boolean sentLast;
  boolean underWay;
  int fruitless;

  /** Nothing more will be written. */
  boolean closed;

  /** Nothing more will be sent. */
  boolean over;

  boolean settled;

  Shipment(Path folder, DispatchId dispatch, TaskId task) {
    this.dispatch = dispatch;
    this.task = task;
    this.file = folder.resolve(dispatch + "." + task + SUFFIX);
  }

  /** The name of the file says whose log it is, so that a restarted agent can ship it. */
  static Optional<Shipment> of(Path folder, String name) {
    String[] ids = name.split("\\.");
    if (ids.length != 3 || !name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Shipment(folder, DispatchId.of(ids[0]), TaskId.of(ids[1])));
    } catch (IllegalArgumentException foreign) {
      return Optional.empty();
    }
  }
}
