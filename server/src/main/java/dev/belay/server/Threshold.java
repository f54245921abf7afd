package dev.belay.server;

import dev.belay.domain.reap.Lease;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.server.ServerSettings.Intervals;
import dev.belay.server.ServerSettings.Leading;
import dev.belay.server.ServerSettings.Watching;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The times that decide what a server does, by the name under which they can be set and seen. */
public enum Threshold {
  TICK("longest pause between two looks of the leader at its work"),
  REPORT("how often a worker reports"),
  MAILBOX_POLL("how often mailboxes are read without a hint"),
  WAIT_MAX("longest wait of one API call"),
  ROUTABLE_SILENCE("a worker that is silent for longer gets no work"),
  ABORT_GRACE("between SIGTERM and SIGKILL of a task that is to end"),
  STEP_DOWN("how long a leader that stops waits for its work"),
  PROBE("how often the database is asked for an answer"),
  DATABASE_SILENCE("the database is away when silent for longer"),
  TICK_SILENCE("unhealthy when no tick ended well for longer"),
  STEP_MAX("a loop is stuck when one step takes longer"),
  AGENT_GONE("a worker that hung up and is not back after this is lost"),
  AGENT_SILENT("a worker that is silent for this long is lost"),
  DISPATCH_LOST("given to a live worker and not begun after this"),
  DISPATCH_GRACE("younger dispatches are left alone"),
  TAKEOVER_GRACE("no silence counts after an election or an outage"),
  GRACE_SUM("all graces of one worker together"),
  DATABASE_GAP("an outage that is shorter does not count"),
  CLOCK_STEP("by how much the database's clock may jump unnoticed"),
  MASS_HOLD("how long workers that fell silent together are kept"),
  RUNNING_MAX("an attempt that runs longer is ended; 0 is never"),
  PENDING_MAX("PENDING for longer though it could move"),
  APPROVAL_MAX("an approval that nobody gives is refused"),
  DEFERRAL_MAX("a wait for an event that never comes fails"),
  ORPHAN_RUN("an open run in which nothing goes on"),
  ORPHAN_FAILS("an orphaned run that planning did not help fails"),
  LEASE("of strictly fenced attempts, from the last report"),
  LEASE_MARGIN("what ends before, and starts after, a lease");

  private final String meaning;

  Threshold(String meaning) {
    this.meaning = meaning;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String meaning() {
    return meaning;
  }

  public Duration of(Intervals intervals) {
    return switch (this) {
      case TICK -> intervals.tick();
      case REPORT -> intervals.report();
      case MAILBOX_POLL -> intervals.mailboxPoll();
      case WAIT_MAX -> intervals.waitMax();
      case ROUTABLE_SILENCE -> intervals.routableSilence();
      case ABORT_GRACE -> intervals.abortGrace();
      case STEP_DOWN -> intervals.leading().stepDown();
      case PROBE -> intervals.watching().probe();
      case DATABASE_SILENCE -> intervals.watching().databaseSilence();
      case TICK_SILENCE -> intervals.watching().tickSilence();
      case STEP_MAX -> intervals.watching().stepMax();
      case AGENT_GONE -> intervals.reap().liveness().gone();
      case AGENT_SILENT -> intervals.reap().liveness().silent();
      case DISPATCH_LOST -> intervals.reap().liveness().dispatchLost();
      case DISPATCH_GRACE -> intervals.reap().grace().dispatch();
      case TAKEOVER_GRACE -> intervals.reap().grace().takeover();
      case GRACE_SUM -> intervals.reap().grace().sumMax();
      case DATABASE_GAP -> intervals.reap().grace().databaseGap();
      case CLOCK_STEP -> intervals.reap().grace().clockStep();
      case MASS_HOLD -> intervals.reap().grace().mass().hold();
      case RUNNING_MAX -> intervals.reap().waits().running();
      case PENDING_MAX -> intervals.reap().waits().pending();
      case APPROVAL_MAX -> intervals.reap().waits().approval();
      case DEFERRAL_MAX -> intervals.reap().waits().deferral();
      case ORPHAN_RUN -> intervals.reap().waits().orphan();
      case ORPHAN_FAILS -> intervals.reap().waits().orphanFails();
      case LEASE -> intervals.reap().lease().length();
      case LEASE_MARGIN -> intervals.reap().lease().margin();
    };
  }

  public static Optional<Threshold> named(String word) {
    for (Threshold one : values()) {
      if (one.word().equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /**
   * The defaults, but for these. All are set before they are compared with each other.
   *
   * @throws IllegalArgumentException naming those that do not fit together
   */
  public static Intervals set(Map<Threshold, Duration> chosen) {
    Function<Threshold, Duration> now = one -> chosen.getOrDefault(one, one.of(Intervals.DEFAULT));
    Leading leading = Intervals.DEFAULT.leading();
    return new Intervals(
        now.apply(TICK),
        now.apply(REPORT),
        now.apply(MAILBOX_POLL),
        now.apply(WAIT_MAX),
        now.apply(ROUTABLE_SILENCE),
        now.apply(ABORT_GRACE),
        new Leading(leading.rule(), leading.election(), now.apply(STEP_DOWN)),
        new Watching(
            now.apply(PROBE),
            now.apply(DATABASE_SILENCE),
            now.apply(TICK_SILENCE),
            now.apply(STEP_MAX)),
        reap(now));
  }

  private static ReapSettings reap(Function<Threshold, Duration> now) {
    ReapSettings defaults = ReapSettings.DEFAULT;
    ReapSettings.Mass mass = defaults.grace().mass();
    return defaults
        .withLiveness(
            new ReapSettings.Liveness(
                now.apply(AGENT_GONE), now.apply(AGENT_SILENT), now.apply(DISPATCH_LOST)))
        .withGrace(
            new ReapSettings.Grace(
                now.apply(DISPATCH_GRACE),
                now.apply(TAKEOVER_GRACE),
                now.apply(GRACE_SUM),
                now.apply(DATABASE_GAP),
                now.apply(CLOCK_STEP),
                new ReapSettings.Mass(mass.share(), mass.workersMin(), now.apply(MASS_HOLD))))
        .withWaits(
            new ReapSettings.Waits(
                now.apply(RUNNING_MAX),
                now.apply(PENDING_MAX),
                now.apply(APPROVAL_MAX),
                now.apply(DEFERRAL_MAX),
                now.apply(ORPHAN_RUN),
                now.apply(ORPHAN_FAILS)))
        .withLease(new Lease(now.apply(LEASE), now.apply(LEASE_MARGIN)));
  }
}
