package dev.belay.simulation;

import dev.belay.domain.id.WorkerId;
import dev.belay.session.gateway.Peer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long the control plane has listened since a worker's last sign. An outage, in which no
 * replica was awake or the store was away, does not count, unless it was too short to be noticed.
 */
final class Hearing {
  /**
   * A worker with a more recent sign must not be given up: no threshold is below 15 s. It is longer
   * than a slow store call, in which the worker may come back while the reaper gives it up.
   */
  private static final Duration HEARD = Duration.ofSeconds(10);

  /** A worker that came more recently may not have reported everything. */
  private static final Duration NEW = Duration.ofSeconds(4);

  /** After an outage that counts, nothing is given up for 30 s. */
  private static final Duration OUTAGE_MIN = Duration.ofSeconds(10);

  private static final Duration GRACE = Duration.ofSeconds(25);
  private static final long NEVER = Long.MIN_VALUE;

  private final Scheduler scheduler;
  private final Map<WorkerId, Long> signs = new HashMap<>();
  private final Map<WorkerId, Long> hellos = new HashMap<>();
  private final Map<WorkerId, Long> connections = new HashMap<>();
  private final Set<WorkerId> removed = new HashSet<>();
  private boolean listens;
  private long listened;
  private long since;
  private long outage = NEVER;

  Hearing(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void listens(boolean now) {
    if (listens == now) {
      return;
    }
    long passed = scheduler.nanos() - since;
    if (listens) {
      listened += passed;
    } else if (passed > OUTAGE_MIN.toNanos()) {
      outage = listened;
    } else {
      listened += passed; // too short for the control plane to notice
    }
    since = scheduler.nanos();
    listens = now;
  }

  /** How long it has listened in all, in nanoseconds. */
  long listened() {
    return listened + (listens ? scheduler.nanos() - since : 0);
  }

  /** Its hello committed, then or later. */
  void hello(Peer peer, long then) {
    connections.put(peer.worker(), peer.connection());
    hellos.merge(peer.worker(), then, Math::max);
    sign(peer.worker(), then);
  }

  /**
   * It hung up, then or later: this is evidence, and the time in which it may come back begins (ADR
   * 15). A write that began before an outage may have been done after it; then the evidence is from
   * after the outage, and no grace applies.
   */
  void hungUp(Peer peer, long then) {
    if (connections.getOrDefault(peer.worker(), NEVER) == peer.connection()) {
      hellos.remove(peer.worker());
      sign(peer.worker(), outage >= then ? outage + 1 : then);
    }
  }

  /** Its heartbeat committed, then or later. */
  void sign(WorkerId worker, long then) {
    signs.merge(worker, then, Math::max);
  }

  /** A person asked to delete it. */
  void removed(WorkerId worker) {
    removed.add(worker);
  }

  /** None of its attempts may be given up now. */
  boolean isHeard(WorkerId worker) {
    return !removed.contains(worker) && isYoung(signs.get(worker), HEARD);
  }

  /** It connected a moment ago and has not reported everything yet. */
  boolean isNew(WorkerId worker) {
    return !removed.contains(worker) && isYoung(hellos.get(worker), NEW);
  }

  private boolean isYoung(@Nullable Long sign, Duration age) {
    if (sign == null) {
      return false;
    }
    boolean cutShort =
        outage >= sign && outage - sign < age.toNanos() && listened() - outage < GRACE.toNanos();
    return cutShort || listened() - sign < age.toNanos();
  }
}
