package dev.belay.simulation.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Times in which no replica could write: the table outage, plus the current one. */
record Outages(Instant now, List<Outage> all) {

  private static final Duration COUNTED_MAX = Duration.ofDays(1);

  /** A row of the table. */
  record Outage(Instant beganAt, Instant endedAt) {}

  static Outages past(Tables tables, ModelStatement statement) {
    return new Outages(statement.now(), statement.rows(tables.outage, any -> true));
  }

  static Outages withPresent(Tables tables, ModelStatement statement, Duration gap) {
    Instant now = statement.now();
    var all = new ArrayList<>(statement.rows(tables.outage, any -> true));
    Instant seen = lastSeen(tables, statement, gap);
    if (!seen.isAfter(now.minus(gap))) {
      all.add(new Outage(seen, now));
    }
    return new Outages(now, all);
  }

  /** When a replica was last able to write. Rows of the future are no sign. */
  static Instant lastSeen(Tables tables, ModelStatement statement, Duration gap) {
    Instant now = statement.now();
    List<ReplicaRow> replicas = statement.rows(tables.replica, any -> true);
    return replicas.stream()
        .map(replica -> replica.seenAt)
        .filter(seenAt -> !seenAt.isAfter(now))
        .max(Comparator.naturalOrder())
        .orElse(replicas.isEmpty() ? Instant.EPOCH : now.minus(gap).minusSeconds(1));
  }

  Duration steady() {
    Instant last = Instant.EPOCH;
    for (Outage outage : all) {
      last = outage.endedAt.isAfter(last) ? outage.endedAt : last;
    }
    return positive(Duration.between(last, now));
  }

  /** How long some replica could write since then, at most one day. */
  Duration listenedSince(Instant time) {
    Instant oldest = now.minus(COUNTED_MAX);
    return whole(time.isBefore(oldest) ? oldest : time);
  }

  /** The same without that bound. */
  Duration whole(Instant from) {
    Duration listened = Duration.between(from, now);
    for (Outage outage : all) {
      if (outage.endedAt.isAfter(from)) {
        Instant began = outage.beganAt.isAfter(from) ? outage.beganAt : from;
        listened = listened.minus(Duration.between(began, outage.endedAt));
      }
    }
    return positive(listened);
  }

  private static Duration positive(Duration time) {
    return time.isNegative() ? Duration.ZERO : time;
  }
}
