package dev.belay.domain.reap;

import java.time.Duration;

/**
 * When the reaper gives something up, and when it holds back.
 *
 * @param liveness limits after which a worker is given up
 * @param grace when nothing is given up
 * @param waits how long a task or run may make no progress without a worker
 * @param lease of strict attempts
 * @param batch tasks ended in one transaction
 * @param batchesMax transactions of one rule in one round
 * @param tries of one batch before its rule waits for the next round
 */
public record ReapSettings(
    Liveness liveness,
    Grace grace,
    Waits waits,
    Lease lease,
    int batch,
    int batchesMax,
    int tries) {

  public static final ReapSettings DEFAULT =
      new ReapSettings(Liveness.DEFAULT, Grace.DEFAULT, Waits.DEFAULT, Lease.DEFAULT, 200, 100, 3);

  public ReapSettings {
    if (batch < 1 || batchesMax < 1 || tries < 1) {
      throw new IllegalArgumentException("batch, batchesMax and tries must be positive");
    }
  }

  /**
   * @param closed the worker closed its connection and has not reconnected after this time
   * @param silent the worker has sent nothing for this long
   * @param dispatchLost a live worker neither started the dispatch nor prepares it after this time
   */
  public record Liveness(Duration closed, Duration silent, Duration dispatchLost) {
    public static final Liveness DEFAULT =
        new Liveness(Duration.ofSeconds(15), Duration.ofSeconds(90), Duration.ofMinutes(3));

    public Liveness {
      Positive.require("agent-closed", closed);
      Positive.require("dispatch-lost", dispatchLost);
      if (silent.compareTo(closed) < 0) {
        throw new IllegalArgumentException(
            "agent-silent (%s) must not be below agent-closed (%s)".formatted(silent, closed));
      }
    }
  }

  /**
   * @param dispatch the reaper ignores younger dispatches, unless their worker is known to be lost
   * @param takeover after an election, an outage of the database or a step of its clock
   * @param sumMax bound on all graces together: after this much more time in which some replica
   *     could write, the worker is given up however often a grace began anew
   * @param databaseGap shorter outages do not count
   * @param clockStep how far the database's clock may drift from ours between two reads
   * @param mass when many silent workers point to a fault on our side
   */
  public record Grace(
      Duration dispatch,
      Duration takeover,
      Duration sumMax,
      Duration databaseGap,
      Duration clockStep,
      Mass mass) {
    public static final Grace DEFAULT =
        new Grace(
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Mass.DEFAULT);

    public Grace {
      Positive.require("dispatch", dispatch);
      Positive.require("takeover", takeover);
      if (sumMax.compareTo(takeover) < 0) {
        throw new IllegalArgumentException(
            "grace-sum (%s) must not be below takeover-grace (%s)".formatted(sumMax, takeover));
      }
      Positive.require("databaseGap", databaseGap);
      Positive.require("clockStep", clockStep);
    }
  }

  /**
   * @param share of the workers; more silent ones point to a fault on our side
   * @param workersMin fewer silent workers never count as mass silence
   * @param hold after this long they are given up anyway
   */
  public record Mass(double share, int workersMin, Duration hold) {
    public static final Mass DEFAULT = new Mass(0.3, 5, Duration.ofMinutes(10));

    public Mass {
      if (share <= 0 || share > 1 || workersMin < 1) {
        throw new IllegalArgumentException("need 0 < share <= 1 and workersMin >= 1");
      }
      Positive.require("hold", hold);
    }
  }

  /**
   * @param running limit on the time an attempt runs; zero means none
   * @param pending PENDING for this long although it could move
   * @param approval without an answer of a person
   * @param deferral without the awaited event
   * @param orphan an open run without progress is planned again after this time
   * @param orphanFails it fails when it has made no progress this long after that
   */
  public record Waits(
      Duration running,
      Duration pending,
      Duration approval,
      Duration deferral,
      Duration orphan,
      Duration orphanFails) {
    public static final Waits DEFAULT =
        new Waits(
            Duration.ZERO,
            Duration.ofMinutes(2),
            Duration.ofDays(7),
            Duration.ofDays(7),
            Duration.ofMinutes(5),
            Duration.ofMinutes(1));

    public Waits {
      if (running.isNegative()) {
        throw new IllegalArgumentException("running must not be negative");
      }
      Positive.require("pending", pending);
      Positive.require("approval", approval);
      Positive.require("deferral", deferral);
      Positive.require("orphan", orphan);
      Positive.require("orphanFails", orphanFails);
    }
  }

  public ReapSettings withGrace(Grace other) {
    return new ReapSettings(liveness, other, waits, lease, batch, batchesMax, tries);
  }

  public ReapSettings withWaits(Waits other) {
    return new ReapSettings(liveness, grace, other, lease, batch, batchesMax, tries);
  }

  /** Separate: a static method of ReapSettings would initialize its DEFAULT before its parts. */
  private static final class Positive {
    static void require(String name, Duration duration) {
      if (!duration.isPositive()) {
        throw new IllegalArgumentException(name + " must be positive, not " + duration);
      }
    }
  }
}
