package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Latched;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.RetryDecision;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One dispatch as a process: waiting at its latch, running, ending, ended.
 *
 * <p>It has ended when its main process is reaped and its output is read to the end (at most the
 * drain time later). After a stop, the rest of its group has until the end of the grace, and the
 * end also waits for processes that left the group. When the main process exits by itself, the
 * agent kills the rest at once. It waits for the rest only if the task is strict, because the next
 * attempt may start as soon as the end is reported.
 */
public final class LatchedProcess implements Latched {

  private static final Logger log = LoggerFactory.getLogger(LatchedProcess.class);
  private static final byte[] GO = "go\n".getBytes(US_ASCII);
  private static final Outcome.Reported LEASE_EXPIRED =
      new Outcome.Aborted(RetryDecision.LEASE_EXPIRED);
  private static final Outcome.Reported LEASE_UNWRITABLE =
      new Outcome.Aborted(RetryDecision.LEASE_UNWRITABLE);

  /** How often to check, during a stop's grace, whether the group outlives its leader. */
  private static final Duration REST_INTERVAL = Duration.ofMillis(50);

  private final DispatchId dispatch;
  private final TaskId task;
  private final Terms terms;
  private final ProcessGroup group;
  private final TaskOutput output;
  private final TaskProcesses owner;
  private final Optional<StallWatch> stallWatch;
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();
  private final List<Future<?>> timers = new ArrayList<>();

  private Optional<Instant> startedAt = Optional.empty();
  private OptionalInt exitCode = OptionalInt.empty();
  private Outcome.@Nullable Reported stopReason;
  private long graceEndNanos;
  private OptionalLong leaseUntil = OptionalLong.empty();
  private boolean leaseUnwritable;
  private boolean swept;
  private boolean drainOver;
  private boolean over;

  LatchedProcess(
      DispatchId dispatch,
      TaskId task,
      Terms terms,
      ProcessGroup group,
      TaskOutput output,
      TaskProcesses owner) {
    this.dispatch = dispatch;
    this.task = task;
    this.terms = terms;
    this.group = group;
    this.output = output;
    this.owner = owner;
    this.stallWatch =
        terms
            .stallTimeout()
            .map(limit -> new StallWatch(limit, owner, () -> stop(new Outcome.Stalled(limit))));
  }

  /** Connects the event sources; called once, after construction. */
  void watch() {
    output.start(owner.pump(), new OutputEvents());
    var _ = group.leader().onExit().thenAccept(leader -> exited(leader.exitValue()));
  }

  @Override
  public DispatchId dispatch() {
    return dispatch;
  }

  /** The pid of the main process, which is also the id of its group. */
  @Override
  public long pid() {
    return group.id();
  }

  @Override
  public synchronized void open(Instant at) {
    if (startedAt.isPresent()) {
      throw new IllegalStateException("opened twice: " + dispatch);
    }
    if (stopReason != null || exitCode.isPresent()) {
      return;
    }
    if (terms.strict() && leaseUntil.isEmpty()) {
      stop(leaseOver(), Duration.ZERO);
      return;
    }
    try (var latch = group.leader().getOutputStream()) {
      latch.write(go());
      latch.flush();
      startedAt = Optional.of(at);
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", dispatch).log("latch is gone");
      return;
    }
    terms.timeout().ifPresent(limit -> later(limit, () -> stop(new Outcome.TimedOut(limit))));
    stallWatch.ifPresent(StallWatch::start);
  }

  private void stop(Outcome.Reported reason) {
    stop(reason, terms.ownGrace().orElse(owner.settings().grace()));
  }

  private byte[] go() {
    return leaseUntil.isEmpty()
        ? GO
        : ("go " + leaseUntil.getAsLong() / LeaseWatch.NANOS_PER_UNIT + "\n").getBytes(US_ASCII);
  }

  /** False when it is ending. An expired lease is not renewed, because its end is under way. */
  synchronized boolean mayExtend() {
    if (isLeaseOver()) {
      stop(leaseOver(), Duration.ZERO);
    }
    return stopReason == null && exitCode.isEmpty();
  }

  /**
   * @return whether its process still runs
   */
  synchronized boolean leased(long untilNanos) {
    leaseUntil = OptionalLong.of(untilNanos);
    leaseUnwritable = false;
    return exitCode.isEmpty();
  }

  /** The lease could not be written or extended, so its expiry is not the server's silence. */
  synchronized void leaseUnwritable() {
    leaseUnwritable = true;
  }

  private Outcome.Reported leaseOver() {
    return leaseUnwritable ? LEASE_UNWRITABLE : LEASE_EXPIRED;
  }

  synchronized boolean isSwept() {
    return swept;
  }

  private boolean isLeaseOver() {
    return leaseUntil.isPresent() && owner.uptime() - leaseUntil.getAsLong() >= 0;
  }

  /**
   * Sends SIGTERM to the group, and SIGKILL after the grace to the rest of the group. The first
   * reason wins. Has no effect when the main process has already exited.
   */
  @Override
  public void terminate(String reason, Duration grace) {
    stop(new Outcome.Aborted(reason), terms.ownGrace().orElse(grace));
  }

  /** Sends SIGKILL now, even in the grace of an earlier stop, whose reason stays. */
  synchronized void kill(String reason) {
    stop(new Outcome.Aborted(reason), Duration.ZERO);
    graceEndNanos = owner.nanos();
    if (exitCode.isEmpty() && group.leader().isAlive()) {
      group.signal(Libc.SIGKILL);
    }
  }

  @Override
  public CompletionStage<Ended> ended() {
    return ended;
  }

  private synchronized void stop(Outcome.Reported reason, Duration grace) {
    if (stopReason != null || exitCode.isPresent() || !group.leaderRuns()) {
      return;
    }
    stopReason = reason;
    stallWatch.ifPresent(StallWatch::end);
    graceEndNanos = owner.nanos();
    if (startedAt.isEmpty() || grace.isZero()) {
      group.signal(Libc.SIGKILL);
      return;
    }
    graceEndNanos += grace.toNanos();
    group.signal(Libc.SIGTERM);
    later(grace, () -> group.signal(Libc.SIGKILL));
  }

  private void exited(int code) {
    boolean stopped;
    synchronized (this) {
      exitCode = OptionalInt.of(code);
      stallWatch.ifPresent(StallWatch::end);
      timers.forEach(timer -> timer.cancel(false));
      timers.clear();
      stopped = stopReason != null;
    }
    if (stopped) {
      lookForRest();
    } else {
      endRest();
    }
  }

  /** Runs in the background: it may read /proc, which would delay the reaper and timer threads. */
  private void lookForRest() {
    try {
      owner.background().execute(this::awaitRest);
    } catch (RuntimeException | OutOfMemoryError e) {
      // Without a thread the grace is cut short, but the end still comes.
      log.atWarn().setCause(e).addKeyValue("dispatch", dispatch).log("grace cut short");
      endRest();
    }
  }

  /** After a stop, the leader's children have the rest of the grace to clean up, too. */
  private void awaitRest() {
    synchronized (this) {
      Duration left = Duration.ofNanos(graceEndNanos - owner.nanos());
      if (left.isPositive() && group.hasRest()) {
        later(left.compareTo(REST_INTERVAL) < 0 ? left : REST_INTERVAL, this::lookForRest);
        return;
      }
    }
    endRest();
  }

  private void endRest() {
    group.killRest();
    if (terms.strict()) {
      owner.leases().groupEnded(dispatch);
    }
    owner.forget(group);
    synchronized (this) {
      later(owner.settings().drain(), this::stopDraining);
    }
    var _ = owner.sweep(dispatch).thenRun(this::swept);
    settle();
  }

  private void swept() {
    synchronized (this) {
      swept = true;
    }
    if (terms.strict()) {
      owner.leases().forget(dispatch);
    }
    settle();
  }

  private void stopDraining() {
    synchronized (this) {
      drainOver = true;
    }
    output.stop(owner.pump());
    settle();
  }

  /** Ends it if nothing is missing; each event calls this. */
  private void settle() {
    Ended now;
    synchronized (this) {
      boolean stragglersGone = swept || (!terms.strict() && (stopReason == null || drainOver));
      if (over || exitCode.isEmpty() || !output.ended() || !stragglersGone) {
        return;
      }
      now =
          new Ended(
              dispatch,
              task,
              startedAt,
              owner.now(),
              outcome(exitCode.getAsInt()),
              output.stderrTail(),
              output.lostBytes());
      over = true;
      timers.forEach(timer -> timer.cancel(false));
    }
    owner.ended(this);
    ended.complete(now);
  }

  private Outcome.Reported outcome(int code) {
    if (stopReason != null) {
      return stopReason;
    }
    // The lease watch or the latch ended it first.
    if (code != 0 && isLeaseOver()) {
      return leaseOver();
    }
    if (startedAt.isEmpty()) {
      return new Outcome.StartFailed("the process ended at its latch with code " + code);
    }
    Optional<String> refusal =
        code == 126 || code == 127 ? output.latchMessage() : Optional.empty();
    return refusal
        .<Outcome.Reported>map(Outcome.StartFailed::new)
        .orElse(exit(Outcome.Exited.of(code)));
  }

  private Outcome.Exited exit(Outcome.Exited exit) {
    boolean killed = exit.signal() == Libc.SIGKILL;
    return killed && owner.oomKills() > terms.oomKills()
        ? new Outcome.Exited(exit.code(), exit.signal(), true)
        : exit;
  }

  private final class OutputEvents implements TaskOutput.Listener {
    @Override
    public void wrote() {
      stallWatch.ifPresent(StallWatch::sign);
    }

    @Override
    public void ended() {
      settle();
    }
  }

  private void later(Duration delay, Runnable act) {
    timers.add(owner.scheduler().schedule(act, delay.toNanos(), TimeUnit.NANOSECONDS));
  }
}
