package dev.belay.simulation;

import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * For how long the control plane has listened since a worker's last sign: time in which no replica
 * was awake, or no store there, does not count.
 */
final class Hearing {
  private final Scheduler scheduler;
  private final Map<WorkerId, Long> signs = new HashMap<>();
  private final Map<WorkerId, Long> hellos = new HashMap<>();
  private final Set<WorkerId> removed = new HashSet<>();
  private boolean listens;
  private long listened;
  private long since;

  Hearing(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void listens(boolean now) {
    listened = listened();
    since = scheduler.nanos();
    listens = now;
  }

  private long listened() {
    return listened + (listens ? scheduler.nanos() - since : 0);
  }

  /** A hello of it is committed. */
  void hello(WorkerId worker) {
    hellos.put(worker, listened());
    sign(worker);
  }

  /** A report of it is committed. */
  void sign(WorkerId worker) {
    signs.put(worker, listened());
  }

  /** Somebody asked to forget it. */
  void removed(WorkerId worker) {
    removed.add(worker);
  }

  boolean wasRemoved(WorkerId worker) {
    return removed.contains(worker);
  }

  Duration sinceSign(WorkerId worker) {
    return since(signs.get(worker));
  }

  Duration sinceHello(WorkerId worker) {
    return since(hellos.get(worker));
  }

  private Duration since(@Nullable Long sign) {
    return sign == null ? Duration.ofDays(1) : Duration.ofNanos(listened() - sign);
  }
}
