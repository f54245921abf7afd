package dev.belay.engine.reap;

import dev.belay.domain.reap.GraceReason;
import dev.belay.domain.reap.ReapGrace;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.reap.StateOwner;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.ReapReads.Survey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one round each second: surveys the workers, then runs every rule in isolation. */
public final class Reaper {

  private static final Logger log = LoggerFactory.getLogger(Reaper.class);

  /** While no worker holds a task there is less to find, and it is less urgent. */
  private static final int ROUNDS_AT_REST = 2;

  /** A deadline may pass while no worker holds a task: it is promised to be found within 5 s. */
  private static final Duration REST_MAX = Duration.ofSeconds(2);

  /** There are many runs, and orphans are rare. */
  private static final int ORPHANS_EVERY = 10;

  /** A new leader plans and promotes first, so that ordinary work does not count as stalled. */
  private static final int ROUNDS_MIN = 3;

  private final ReapReads reads;
  private final ReapWriter writer;
  private final ReapSettings settings;
  private final Duration interval;
  private final Supplier<Optional<Epoch>> leadership;
  private final Supplier<Duration> steadyFor;
  private final Hints hints;
  private final Meters meters;
  private final LongSupplier ticker;
  private final ReapGrace reapGrace;
  private final Liveness liveness;
  private final LostWorkers lostWorkers;
  private @Nullable Epoch current;
  private Optional<GraceReason> toldGrace = Optional.empty();
  private long round;
  private int rounds;

  /**
   * @param leadership the epoch, while this replica leads with trust
   * @param steadyFor how long the database has answered without a gap, see {@link DatabaseUptime}
   * @param reapGrace fed by the replica heartbeat, too
   * @param ticker monotonic nanoseconds
   */
  public Reaper(
      ReapReads reads,
      ReapWriter writer,
      ReapSettings settings,
      Duration interval,
      Supplier<Optional<Epoch>> leadership,
      Supplier<Duration> steadyFor,
      ReapGrace reapGrace,
      Hints hints,
      Meters meters,
      LongSupplier ticker) {
    this.reads = reads;
    this.writer = writer;
    this.settings = settings;
    this.interval = interval;
    this.leadership = leadership;
    this.steadyFor = steadyFor;
    this.hints = hints;
    this.meters = meters;
    this.ticker = ticker;
    this.reapGrace = reapGrace;
    this.liveness = new Liveness(reads, writer, settings, meters, ticker);
    this.lostWorkers = new LostWorkers(writer, settings);
  }

  /**
   * @return how long to sleep
   */
  public Duration runOnce() {
    Optional<Epoch> epoch = leadership.get();
    if (epoch.isEmpty()) {
      if (current != null) {
        meters.stale(Map.of());
      }
      current = null;
      return interval;
    }
    long asked = ticker.getAsLong();
    Survey seen = survey();
    if (!epoch.get().equals(current)) {
      current = epoch.get();
      liveness.begin();
      reapGrace.begin(ticker.getAsLong(), seen.holdsWork());
      rounds = 0;
    }
    reapGrace.look(asked, ticker.getAsLong(), seen.now());
    Optional<GraceReason> grace = reapGrace.grace(ticker.getAsLong(), steadyFor.get());
    tell(grace);
    Survey survey = liveness.watch(seen, grace.isEmpty());
    try {
      work(epoch.get(), survey, grace);
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.get().value()).log("reaps no more: deposed");
    }
    rounds++;
    Duration rest = interval.multipliedBy(ROUNDS_AT_REST);
    return seen.holdsWork() || rest.compareTo(REST_MAX) > 0 ? interval : rest;
  }

  private Survey survey() {
    boolean read = false;
    try {
      Survey survey = reads.survey();
      read = true;
      return survey;
    } finally {
      if (!read) {
        meters.listFailed(RecoveryKind.AGENT_SILENT.word());
      }
    }
  }

  private void tell(Optional<GraceReason> grace) {
    if (!grace.equals(toldGrace)) {
      grace.ifPresent(
          why -> log.atInfo().addKeyValue("why", why.text()).log("no silence counts for a while"));
    }
    toldGrace = grace;
  }

  private void work(Epoch epoch, Survey survey, Optional<GraceReason> grace) {
    lookAhead();
    boolean orphans = round++ % ORPHANS_EVERY == 0;
    for (StateOwner watch : StateOwner.ofReaper()) {
      if (mayLook(watch, grace) && (watch != StateOwner.ORPHAN_RUN || orphans)) {
        isolated(watch, () -> run(watch, epoch, survey, grace));
      }
    }
  }

  /** Only saves work: without it each rule looks for itself. */
  private void lookAhead() {
    try {
      writer.look();
    } catch (RuntimeException failed) {
      log.atWarn().setCause(failed).log("the look ahead failed, each watch looks for itself");
    }
  }

  /** A grace concerns silence. Written facts hold under any leader, if their times are right. */
  private boolean mayLook(StateOwner watch, Optional<GraceReason> grace) {
    boolean timely = grace.filter(GraceReason.CLOCK_STEP::equals).isEmpty();
    return switch (watch) {
      case LIVENESS -> true; // its rules check the grace themselves
      case DEADLINE, RUNNING_AGE, WAIT_LIMIT -> timely;
      case PENDING_REPLAY, ORPHAN_RUN -> timely && (grace.isEmpty() || rounds >= ROUNDS_MIN);
      case DISPATCH, TIMER, PERSON -> false;
    };
  }

  private int run(StateOwner watch, Epoch epoch, Survey survey, Optional<GraceReason> grace) {
    return switch (watch) {
      case LIVENESS -> {
        ReapWriter.Ended ended = liveness.runOnce(epoch, survey, grace);
        told(ended.count() > 0, ended.runsChanged());
        if (grace.isEmpty()) {
          lostWorkers.runOnce(epoch, survey, liveness.isMassSilence());
        }
        yield ended.count();
      }
      case DEADLINE -> expire(() -> writer.expireDeadlines(epoch, settings.batch()));
      case RUNNING_AGE ->
          settings.waits().running().isZero()
              ? 0
              : expire(() -> writer.endLongRunning(epoch, settings.batch()));
      case PENDING_REPLAY -> {
        int replayed = batches(() -> writer.replayPending(epoch, settings.batch()));
        told(replayed > 0, false);
        yield replayed;
      }
      case WAIT_LIMIT -> {
        int expired = batches(() -> writer.expireWaits(epoch, settings.batch()));
        told(false, expired > 0);
        yield expired;
      }
      case ORPHAN_RUN -> {
        int treated = new Orphans(reads, writer, settings, meters).runOnce(epoch);
        told(false, treated > 0);
        yield treated;
      }
      case DISPATCH, TIMER, PERSON ->
          throw new IllegalArgumentException("not the reaper's: " + watch);
    };
  }

  private int expire(Supplier<ReapWriter.Expired> batch) {
    return batches(
        () -> {
          ReapWriter.Expired expired = batch.get();
          expired.toTell().forEach(hints::mailbox);
          told(false, expired.ended() > 0);
          return expired.count();
        });
  }

  /** Repeats until a batch is not full. */
  private int batches(Supplier<Integer> batch) {
    int all = 0;
    for (int i = 0; i < settings.batchesMax(); i++) {
      int done = Tries.of(settings.tries(), batch);
      all += done;
      if (done < settings.batch()) {
        break;
      }
    }
    return all;
  }

  private void told(boolean workReady, boolean runsChanged) {
    if (workReady) {
      hints.workReady();
    }
    if (workReady || runsChanged) {
      hints.runChanged();
    }
  }

  private static RecoveryKind kindOf(StateOwner watch) {
    return switch (watch) {
      case LIVENESS -> RecoveryKind.AGENT_SILENT;
      case DEADLINE -> RecoveryKind.DEADLINE_PASSED;
      case RUNNING_AGE -> RecoveryKind.RUNNING_TOO_LONG;
      case PENDING_REPLAY -> RecoveryKind.PENDING_REPLAYED;
      case WAIT_LIMIT -> RecoveryKind.WAIT_EXPIRED;
      case ORPHAN_RUN -> RecoveryKind.ORPHAN_RUN;
      case DISPATCH, TIMER, PERSON ->
          throw new IllegalArgumentException("not the reaper's: " + watch);
    };
  }

  /** Keeps a failure from stopping the other rules. */
  private void isolated(StateOwner watch, Supplier<Integer> work) {
    String name = kindOf(watch).word();
    try {
      int done = work.get();
      if (watch != StateOwner.LIVENESS) { // LIVENESS counts by reason
        meters.reaped(name, done, 0);
      }
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      meters.reapFailed(name, false);
      log.atWarn().addKeyValue("watch", name).setCause(failed).log("reaping failed, others go on");
    } catch (OutOfMemoryError | StackOverflowError failed) {
      meters.reapFailed(name, true);
      log.atError().addKeyValue("watch", name).setCause(failed).log("reaping failed, others go on");
    }
  }
}
