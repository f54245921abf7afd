package dev.belay.engine.lease;

import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseStore;
import dev.belay.engine.port.LeaseStore.Acquired;
import dev.belay.engine.port.LeaseStore.NotDue;
import dev.belay.engine.port.LeaseStore.Outcome;
import dev.belay.engine.port.LeaseToken;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one periodic job on one replica, in turn with the other replicas. One loop calls {@link
 * #runOnce}, another {@link #renewOnce}.
 */
public final class JobRunner {

  private static final Logger log = LoggerFactory.getLogger(JobRunner.class);

  /** A person should know when no replica has done a job for this many periods. */
  static final int PERIODS_MAX = 3;

  /** A lease is renewed, and a job that is not due is looked at, this often within a ttl. */
  private static final int LOOKS_IN_TTL = 3;

  private static final Duration LOOK_MIN = Duration.ofMillis(20);

  private final PeriodicJob job;
  private final String replica;
  private final LeaseStore store;
  private final LongSupplier ticker;
  private final JobMeters meters;
  private final FailureLog failures = new FailureLog(log, "periodic job failed");
  private final FailureLog renewals = new FailureLog(log, "lease not renewed");
  private volatile @Nullable HeldLease held;

  /** What the work came to; the database does not know it yet. */
  private @Nullable Outcome unwritten;

  /** The ticker's time of the next batch. */
  private long resumeAt;

  private final long watchingSince;

  /** Since any replica last did the job, as of a moment of this replica's ticker. */
  private volatile @Nullable Age age;

  private record Age(Duration sinceDone, long at) {}

  /**
   * @param replica the name of this one
   * @param ticker monotonic nanoseconds
   */
  public JobRunner(
      PeriodicJob job, String replica, LeaseStore store, LongSupplier ticker, JobMeters meters) {
    this.job = job;
    this.replica = replica;
    this.store = store;
    this.ticker = ticker;
    this.meters = meters;
    this.watchingSince = ticker.getAsLong();
  }

  public PeriodicJob job() {
    return job;
  }

  public boolean isHolding() {
    return held != null;
  }

  /** Since any replica last did the job; zero before the first look. */
  public Duration sinceDone() {
    Age known = age;
    return known == null
        ? Duration.ZERO
        : known.sinceDone().plusNanos(ticker.getAsLong() - known.at());
  }

  /** Looks whether the job is due, or does one batch; returns how long to wait for the next. */
  public Duration runOnce() {
    HeldLease now = held;
    return now == null ? look() : step(now);
  }

  private Duration look() {
    long asked = ticker.getAsLong();
    return switch (store.acquire(job.name(), replica, job.period(), job.ttl())) {
      case NotDue waiting -> {
        learn(waiting.sinceDone());
        yield bounded(waiting.left());
      }
      case Acquired acquired -> {
        begin(acquired, asked);
        yield Duration.ZERO;
      }
    };
  }

  private void begin(Acquired acquired, long asked) {
    LeaseToken token = acquired.token();
    acquired
        .takenFrom()
        .ifPresent(
            past ->
                log.atWarn()
                    .addKeyValue("job", job.name())
                    .addKeyValue("past_holder", past)
                    .addKeyValue("token", token.value())
                    .log("lease taken over: its holder did not finish in time"));
    unwritten = null;
    resumeAt = asked;
    held = new HeldLease(token, job.ttl(), asked, ticker);
  }

  /** A clock or a setting may change while this replica sleeps, so it does not sleep for long. */
  private Duration bounded(Duration wait) {
    Duration max = renewEvery();
    Duration pause = wait.compareTo(max) < 0 ? wait : max;
    return pause.compareTo(LOOK_MIN) > 0 ? pause : LOOK_MIN;
  }

  private Duration step(HeldLease lease) {
    Optional<Outcome> over = lease.over();
    if (over.isPresent()) {
      return end(lease, over.get());
    }
    if (resumeAt - ticker.getAsLong() > 0) {
      return untilResumed();
    }
    if (unwritten == null) {
      try {
        Optional<Duration> pause = job.work().step(lease.token());
        if (pause.isPresent()) {
          resumeAt = ticker.getAsLong() + pause.get().toNanos();
          return untilResumed();
        }
        unwritten = Outcome.DONE;
        failures.over();
      } catch (LeaseLost lost) {
        return end(lease, lease.over().orElse(Outcome.LOST));
      } catch (RuntimeException failed) {
        failures.met(failed, event -> event.addKeyValue("job", job.name()));
        unwritten = Outcome.FAILED;
      }
    }
    // If this fails, the next step tries again, for as long as the lease lasts.
    return end(
        lease, store.finish(lease.token(), job.period(), unwritten) ? unwritten : Outcome.LOST);
  }

  /** During a long pause it looks whether it still holds the lease. */
  private Duration untilResumed() {
    long left = Math.max(0, resumeAt - ticker.getAsLong());
    return Duration.ofNanos(Math.min(left, renewEvery().toNanos()));
  }

  private Duration end(HeldLease lease, Outcome outcome) {
    held = null;
    unwritten = null;
    if (outcome == Outcome.DONE) {
      age = new Age(Duration.ZERO, ticker.getAsLong());
    }
    meters.ran(job.name(), outcome, lease.age());
    var event = outcome == Outcome.DONE || outcome == Outcome.FAILED ? log.atDebug() : log.atWarn();
    event
        .addKeyValue("job", job.name())
        .addKeyValue("outcome", outcome.word())
        .addKeyValue("token", lease.token().value())
        .log("run of a periodic job ended");
    return LOOK_MIN;
  }

  /** Renews the lease if this replica holds it; returns how long to wait for the next. */
  public Duration renewOnce() {
    HeldLease now = held;
    if (now != null && now.over().isEmpty()) {
      renew(now);
    }
    return renewEvery();
  }

  private void renew(HeldLease lease) {
    long asked = ticker.getAsLong();
    try {
      Optional<Duration> sinceDone = store.renew(lease.token());
      if (sinceDone.isPresent()) {
        lease.renewed(asked);
        renewals.over();
        learn(sinceDone.get());
      } else if (lease.equals(held)) {
        // Otherwise the run ended meanwhile, and gave the lease up itself.
        lease.lost();
      }
    } catch (RuntimeException failed) {
      lease.renewalFailed();
      renewals.met(failed, event -> event.addKeyValue("job", job.name()));
    }
  }

  /** After a downtime the job is late for no fault of its own, so this replica watches first. */
  private void learn(Duration sinceDone) {
    long now = ticker.getAsLong();
    age = new Age(sinceDone, now);
    Duration tooLong = job.period().multipliedBy(PERIODS_MAX);
    boolean watched = now - watchingSince > tooLong.toNanos();
    if (watched && sinceDone.compareTo(tooLong) > 0) {
      meters.overdue(job);
    }
  }

  private Duration renewEvery() {
    return job.ttl().dividedBy(LOOKS_IN_TTL);
  }

  /** After its loop: lets another replica go on at once. */
  public void release() {
    HeldLease lease = held;
    if (lease != null && lease.over().isEmpty()) {
      store.finish(lease.token(), job.period(), Outcome.ABANDONED);
      end(lease, Outcome.ABANDONED);
    }
  }
}
