package dev.belay.domain.reap;

import java.time.Duration;

/**
 * When something counts as lost, and when not yet.
 *
 * @param liveness how workers are given up
 * @param grace when nothing is given up
 * @param waits how long a task or run may stand still without a worker
 * @param lease of strict attempts
 * @param batch tasks ended in one transaction
 * @param batchesMax transactions of one rule in one round
 * @param tries of one batch before its rule is left for the next round
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
   * @param closed the worker closed its connection and is not back after this
   * @param silent nothing was heard of the worker for this long
   * @param dispatchLost committed to a live worker, which neither started nor prepares it
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
   * @param dispatch younger dispatches are left alone, but where their worker is known to be gone
   * @param takeover after an election, an outage of the database or a step of its clock
   * @param sumMax all of them together: after so much time more, in which somebody could write, a
   *     worker is given up however often a grace began anew
   * @param databaseGap an outage that is shorter than this does not count
   * @param clockStep by how much the database's clock may run apart from ours between two looks
   * @param mass so many workers silent together look like our own deafness
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
   * @param share of the workers, above which their silence is held against ourselves
   * @param workersMin fewer are never too many
   * @param hold after this long they are given up all the same
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
   * @param running an attempt that runs longer is ended; zero means never
   * @param pending PENDING for so long though it could move
   * @param approval nobody has answered
   * @param deferral nothing has happened that it waits for
   * @param orphan a run in which nothing goes on
   * @param orphanFails planned again, and still nothing after this
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

  /**
   * A class of its own: a method of ReapSettings would make its DEFAULT before those of its parts.
   */
  private static final class Positive {
    static void require(String name, Duration duration) {
      if (!duration.isPositive()) {
        throw new IllegalArgumentException(name + " must be positive, not " + duration);
      }
    }
  }
}
