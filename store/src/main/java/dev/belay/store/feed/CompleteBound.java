package dev.belay.store.feed;

import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Up to which id the feed is complete: no running transaction can add a row below it. See the
 * package for the reasons. Thread-safe; callers take turns.
 */
final class CompleteBound {

  private final Jdbi jdbi;
  private final AtomicLong begun = new AtomicLong();
  private long answered;
  private Reach answer = new Reach(0, 0);
  private long complete;
  private @Nullable Taken taken;
  private volatile Duration heldBack = Duration.ZERO;

  CompleteBound(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * @param complete all rows up to this id are visible
   * @param drawn the last id that was drawn
   */
  record Reach(long complete, long drawn) {}

  /** A bound that waits until no transaction older than {@code xid} runs. */
  private record Taken(long id, long xid, Instant at) {}

  private record Look(long oldestRunning, long drawn, Instant now) {}

  /**
   * Moves the bound as far as the running transactions allow. Callers who wait for their turn share
   * the next answer: one that began before they asked would be too old for their cursor.
   */
  Reach advance() {
    long asked = begun.get();
    synchronized (this) {
      if (answered <= asked) {
        long number = begun.incrementAndGet();
        answer = move();
        answered = number;
      }
      return answer;
    }
  }

  private Reach move() {
    Look look = look();
    if (look.drawn() < complete || (taken != null && taken.id() > look.drawn())) {
      // The database went back, to a backup or to a replica that lagged: begin anew.
      complete = 0;
      taken = null;
    }
    settle(look);
    if (taken == null && look.drawn() > complete) {
      taken = take();
      look = look();
      settle(look);
    }
    return new Reach(complete, look.drawn());
  }

  /** How long the bound had waited for running transactions when it was last looked at. */
  Duration heldBack() {
    return heldBack;
  }

  private void settle(Look look) {
    Taken waiting = taken;
    if (waiting == null || look.oldestRunning() >= waiting.xid()) {
      complete = waiting == null ? complete : Math.max(complete, waiting.id());
      taken = null;
      heldBack = Duration.ZERO;
    } else {
      heldBack = Duration.between(waiting.at(), look.now());
    }
  }

  private Look look() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("feed/look_ahead"))
                .setQueryTimeout(Reads.TIMEOUT_SECONDS)
                .map(
                    (row, context) ->
                        new Look(
                            row.getLong("oldest_running"),
                            row.getLong("drawn"),
                            row.getObject("now", OffsetDateTime.class).toInstant()))
                .one());
  }

  /** Outside a transaction, so it has committed when this returns. */
  private Taken take() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("feed/take_bound"))
                .setQueryTimeout(Reads.TIMEOUT_SECONDS)
                .map(
                    (row, context) ->
                        new Taken(
                            row.getLong("id"),
                            row.getLong("xid"),
                            row.getObject("at", OffsetDateTime.class).toInstant()))
                .one());
  }
}
