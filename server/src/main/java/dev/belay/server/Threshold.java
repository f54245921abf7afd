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
  TICK(Intervals::tick, "longest pause between two looks of the leader at its work"),
  REPORT(Intervals::report, "how often a worker reports"),
  MAILBOX_POLL(Intervals::mailboxPoll, "how often mailboxes are read without a hint"),
  WAIT_MAX(Intervals::waitMax, "longest wait of one API call"),
  ROUTABLE_SILENCE(Intervals::routableSilence, "a worker that is silent for longer gets no work"),
  ABORT_GRACE(Intervals::abortGrace, "between SIGTERM and SIGKILL of a task that is to end"),
  STEP_DOWN(i -> i.leading().stepDown(), "how long a leader that stops waits for its work"),
  PROBE(i -> i.watching().probe(), "how often the database is asked for an answer"),
  DATABASE_SILENCE(
      i -> i.watching().databaseSilence(), "the database is away when silent for longer"),
  TICK_SILENCE(i -> i.watching().tickSilence(), "unhealthy when no tick ended well for longer"),
  STEP_MAX(i -> i.watching().stepMax(), "a loop is stuck when one step takes longer"),
  AGENT_GONE(
      i -> i.reap().liveness().gone(), "a worker that hung up and is not back after this is lost"),
  AGENT_SILENT(i -> i.reap().liveness().silent(), "a worker that is silent for this long is lost"),
  DISPATCH_LOST(
      i -> i.reap().liveness().dispatchLost(), "given to a live worker and not begun after this"),
  DISPATCH_GRACE(i -> i.reap().grace().dispatch(), "younger dispatches are left alone"),
  TAKEOVER_GRACE(
      i -> i.reap().grace().takeover(), "nothing is given up after an election or an outage"),
  DATABASE_GAP(i -> i.reap().grace().databaseGap(), "an outage that is shorter does not count"),
  CLOCK_STEP(
      i -> i.reap().grace().clockStep(), "by how much the database's clock may jump unnoticed"),
  MASS_HOLD(
      i -> i.reap().grace().mass().hold(), "how long workers that fell silent together are kept"),
  RUNNING_MAX(i -> i.reap().waits().running(), "an attempt that runs longer is ended; 0 is never"),
  PENDING_MAX(i -> i.reap().waits().pending(), "PENDING for longer though it could move"),
  APPROVAL_MAX(i -> i.reap().waits().approval(), "an approval that nobody gives is refused"),
  DEFERRAL_MAX(i -> i.reap().waits().deferral(), "a wait for an event that never comes fails"),
  ORPHAN_RUN(i -> i.reap().waits().orphan(), "an open run in which nothing goes on"),
  ORPHAN_FAILS(
      i -> i.reap().waits().orphanFails(), "an orphaned run that planning did not help fails"),
  LEASE(i -> i.reap().lease().length(), "of strictly fenced attempts, from the last report"),
  LEASE_MARGIN(i -> i.reap().lease().margin(), "what ends before, and starts after, a lease");

  private final Function<Intervals, Duration> value;
  private final String meaning;

  Threshold(Function<Intervals, Duration> value, String meaning) {
    this.value = value;
    this.meaning = meaning;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String meaning() {
    return meaning;
  }

  public Duration of(Intervals intervals) {
    return value.apply(intervals);
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
