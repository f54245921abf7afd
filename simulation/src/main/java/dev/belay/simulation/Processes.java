package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.agent.StallDetector;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one life of an agent, with their guardians outside it: the supervisor, which
 * ends them when the agent is dead, and the lease keeper. The argv of a task scripts it: {@code run
 * MILLIS CODES} runs this long and exits with the code of its attempt (the last code repeats). A
 * fourth word is the time between two lines of output; without it, the process is silent.
 */
final class Processes {
  private static final Duration PREPARING_MAX = Duration.ofMillis(50);
  private static final Duration PREPARING_LONG_MAX = Duration.ofSeconds(8);
  private static final double PREPARING_LONG = 0.02;
  private static final Duration NOTICED_MAX = Duration.ofMillis(5);
  private static final Duration WATCH_LATE_MAX = Duration.ofMillis(500);
  private static final Duration LOOK = StallDetector.LOOK_MAX.dividedBy(4);
  private static final double EXITS_WHILE_STOPPED = 0.2;
  private static final double PREPARE_FAILS = 0.04;
  private static final double PREPARE_HANGS = 0.01;
  private static final Duration SLOW_MIN = Duration.ofMinutes(2);
  private static final Duration SLOW_MAX = Duration.ofMinutes(5);
  private static final Duration HANGING_MIN = Duration.ofMinutes(10);
  private static final Duration HANGING_MAX = Duration.ofMinutes(22);
  private static final double NO_ROOM = 0.7;
  private static final double DIES_BY_SIGNAL = 0.02;
  private static final int SIGNAL = 11;
  private static final int SIGNAL_CODE = 128;

  /** Receives the creation and the end of each process. */
  interface Listener {
    void prepared(DispatchId dispatch);

    void prepareFailed(DispatchId dispatch);

    void prepareRefused(DispatchId dispatch);

    void ended(Finished finished);
  }

  private static final class Running {
    final Dispatch dispatch;
    final boolean strict;
    @Nullable String stopReason;
    boolean prepared;
    boolean open;
    boolean ended;
    long leaseUntil;
    long aliveAt;
    boolean unread;

    Running(Dispatch dispatch) {
      this.dispatch = dispatch;
      this.strict = dispatch.getLeaseMs() > 0;
    }

    List<String> argv() {
      return dispatch.getArgvList();
    }

    Duration runs() {
      return Duration.ofMillis(Long.parseLong(argv().get(1)));
    }

    Optional<Duration> talksEvery() {
      return argv().size() < 4
          ? Optional.empty()
          : Optional.of(Duration.ofMillis(Long.parseLong(argv().get(3))));
    }

    Duration grace(Duration otherwise) {
      return dispatch.hasStopGraceMs() ? Duration.ofMillis(dispatch.getStopGraceMs()) : otherwise;
    }

    int code() {
      var codes = argv().get(2).split(",", -1);
      return Integer.parseInt(codes[Math.min(dispatch.getAttempt(), codes.length) - 1]);
    }
  }

  private final World world;
  private final Host agent;
  private final Ledger.Holder holder;
  private final LongSupplier clockMillis;
  private final int slots;
  private final Listener listener;
  private final Map<DispatchId, Running> processes = new LinkedHashMap<>();
  private boolean hangsNext;

  /**
   * @param agent receives events while it is alive and not frozen
   */
  Processes(
      World world,
      Host agent,
      Ledger.Holder holder,
      LongSupplier clockMillis,
      int slots,
      Listener listener) {
    this.world = world;
    this.agent = agent;
    this.holder = holder;
    this.clockMillis = clockMillis;
    this.slots = slots;
    this.listener = listener;
  }

  boolean isEmpty() {
    return processes.isEmpty();
  }

  /** Whether a process really runs. */
  boolean anyRuns() {
    return processes.values().stream().anyMatch(process -> process.open && !process.ended);
  }

  boolean runs(DispatchId id) {
    var process = processes.get(id);
    return process != null && process.open && !process.ended;
  }

  void hangNext() {
    hangsNext = true;
  }

  void prepare(Dispatch dispatch) {
    var id = DispatchId.of(dispatch.getDispatchId());
    var process = new Running(dispatch);
    processes.put(id, process);
    agent.later(preparingTakes(), () -> made(id, process));
  }

  private Duration preparingTakes() {
    if (hangsNext) {
      hangsNext = false;
      world.trouble(FaultKind.PREPARE_HANGS);
      return world.chance.between(HANGING_MIN, HANGING_MAX);
    }
    return world.goesWrong(FaultKind.PREPARE_HANGS, PREPARE_HANGS)
        ? world.chance.between(SLOW_MIN, SLOW_MAX)
        : world.chance.mostly(PREPARING_MAX, PREPARING_LONG, PREPARING_LONG_MAX);
  }

  private void made(DispatchId id, Running process) {
    if (process.stopReason != null) {
      processes.remove(id);
      listener.ended(aborted(process, process.stopReason));
    } else if (world.goesWrong(FaultKind.PREPARE_FAILS, PREPARE_FAILS)) {
      processes.remove(id);
      if (world.chance.happens(NO_ROOM)) {
        listener.prepareRefused(id);
      } else {
        listener.prepareFailed(id);
      }
    } else {
      process.prepared = true;
      listener.prepared(id);
    }
  }

  /** Held by the lease keeper, independent of the agent. */
  void lease(Map<DispatchId, Long> untilNanos) {
    untilNanos.forEach(
        (id, until) -> {
          var process = processes.get(id);
          if (process == null || process.ended || process.stopReason != null) {
            return;
          }
          if (process.leaseUntil != 0 && world.scheduler.nanos() >= process.leaseUntil) {
            stop(id, RetryDecision.LEASE_EXPIRED, Duration.ZERO);
            return;
          }
          process.leaseUntil = until;
          var left = Duration.ofNanos(Math.max(0, until - world.scheduler.nanos()));
          world.after(
              left.plus(world.chance.upTo(WATCH_LATE_MAX)), () -> endIfOverdue(id, process));
        });
  }

  private void endIfOverdue(DispatchId id, Running process) {
    if (!process.ended && process.open && world.scheduler.nanos() >= process.leaseUntil) {
      world.trace.say("watch", "ends what has outlived its lease:", id);
      end(id, process, aborted(process, RetryDecision.LEASE_EXPIRED));
    }
  }

  void open(DispatchId id) {
    var process = processes.get(id);
    if (process == null || !process.prepared || process.open || process.stopReason != null) {
      throw new InvariantBroken("a latch was opened that was not waiting: " + id);
    }
    if (process.strict && world.scheduler.nanos() >= process.leaseUntil) {
      end(id, process, aborted(process, RetryDecision.LEASE_EXPIRED));
      return;
    }
    process.open = true;
    long running = processes.values().stream().filter(one -> one.open && !one.ended).count();
    if (running > slots) {
      throw new InvariantBroken(
          Invariant.LIMITS, running + " processes run on a worker with " + slots + " slots");
    }
    world.ledger.opened(id, TaskId.of(process.dispatch.getTaskId()), process.strict, holder);
    world.after(process.runs(), () -> exit(id, process));
    var limit = Duration.ofMillis(process.dispatch.getExecutionTimeoutMs());
    if (limit.isPositive()) {
      // a timer of the agent, which freezes with it
      agent.later(limit, () -> end(id, process, timedOut(process, limit)));
    }
    var stallTimeout = Duration.ofMillis(process.dispatch.getStallTimeoutMs());
    if (stallTimeout.isPositive()) {
      process.aliveAt = world.scheduler.nanos();
      process.talksEvery().ifPresent(every -> talk(process, every));
      var detector = new StallDetector(stallTimeout, process.aliveAt);
      agent.later(LOOK, () -> look(id, process, detector, stallTimeout));
    }
  }

  /** Into its pipe, also while the agent is frozen. */
  private void talk(Running process, Duration every) {
    world.after(
        every,
        () -> {
          if (!process.ended) {
            process.aliveAt = world.scheduler.nanos();
            process.unread = true;
            talk(process, every);
          }
        });
  }

  private void look(DispatchId id, Running process, StallDetector detector, Duration limit) {
    if (process.ended || process.stopReason != null) {
      return;
    }
    if (process.unread) {
      process.unread = false;
      detector.sign();
    }
    long now = world.scheduler.nanos();
    if (!detector.isStalled(now)) {
      agent.later(LOOK, () -> look(id, process, detector, limit));
      return;
    }
    if (now - process.aliveAt < limit.toNanos()) {
      throw new InvariantBroken(
          Invariant.NO_END_OF_THE_LIVING, id + " was ended as stalled, but wrote a moment ago");
    }
    end(id, process, stalled(process, limit));
  }

  private void exit(DispatchId id, Running process) {
    if (process.ended) {
      return;
    }
    boolean dies = !world.isCalm() && world.chance.happens(DIES_BY_SIGNAL);
    int code = dies ? SIGNAL_CODE + SIGNAL : process.code();
    process.ended = true;
    world.ledger.exited(id, code);
    var finished = finished(process);
    finished.getExitBuilder().setCode(code).setSignal(dies ? SIGNAL : 0);
    tell(id, finished.build());
  }

  void stop(DispatchId id, String reason, Duration grace) {
    var process = processes.get(id);
    if (process == null || process.stopReason != null || process.ended) {
      return;
    }
    process.stopReason = reason;
    if (!process.prepared) {
      return; // ends when its process is made
    }
    var left = grace.isZero() ? grace : process.grace(grace);
    boolean exits = process.open && left.isPositive() && world.chance.happens(EXITS_WHILE_STOPPED);
    world.after(
        world.chance.upTo(left),
        () -> {
          if (exits) {
            exit(id, process);
          } else {
            end(id, process, aborted(process, reason));
          }
        });
  }

  /** A graceful end of the agent: asks running processes to end; prepared ones may still begin. */
  void stopOpen(String reason, Duration grace) {
    List.copyOf(processes.entrySet()).stream()
        .filter(entry -> entry.getValue().open)
        .forEach(entry -> stop(entry.getKey(), reason, grace));
  }

  /** Ends all of them without an event. */
  void killAll() {
    processes.forEach(this::kill);
    processes.clear();
  }

  /**
   * The agent died together with the supervisor. Waiting latches end with the agent's pipe, and the
   * lease keeper sees that no extension will come; every other process continues.
   */
  void loseSupervisor() {
    processes.forEach(
        (id, process) -> {
          if (!process.open) {
            process.ended = true;
          } else if (process.strict) {
            world.after(world.chance.upTo(WATCH_LATE_MAX), () -> kill(id, process));
          }
        });
  }

  private void end(DispatchId id, Running process, Finished finished) {
    if (!process.ended) {
      kill(id, process);
      tell(id, finished);
    }
  }

  private void kill(DispatchId id, Running process) {
    if (process.open && !process.ended) {
      world.ledger.killed(id);
    }
    process.ended = true;
  }

  private void tell(DispatchId id, Finished finished) {
    agent.later(
        world.chance.upTo(NOTICED_MAX),
        () -> {
          processes.remove(id);
          listener.ended(finished);
        });
  }

  private Finished.Builder finished(Running process) {
    return Finished.newBuilder()
        .setDispatchId(process.dispatch.getDispatchId())
        .setTaskId(process.dispatch.getTaskId())
        .setEndedAtMs(clockMillis.getAsLong());
  }

  private Finished aborted(Running process, String reason) {
    var finished = finished(process);
    finished.getAbortedBuilder().setReason(reason);
    return finished.build();
  }

  private Finished timedOut(Running process, Duration limit) {
    var finished = finished(process);
    finished.getTimedOutBuilder().setLimitMs(limit.toMillis());
    return finished.build();
  }

  private Finished stalled(Running process, Duration limit) {
    var finished = finished(process);
    finished.getStalledBuilder().setLimitMs(limit.toMillis());
    return finished.build();
  }
}
