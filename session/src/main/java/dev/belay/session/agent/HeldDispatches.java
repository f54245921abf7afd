package dev.belay.session.agent;

import static dev.belay.session.agent.AgentMessages.abortedBeforeStart;
import static dev.belay.session.agent.AgentMessages.acked;
import static dev.belay.session.agent.AgentMessages.finished;
import static dev.belay.session.agent.AgentMessages.refused;
import static dev.belay.session.agent.AgentMessages.startFailed;
import static dev.belay.session.agent.AgentMessages.started;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Settlement;
import dev.belay.session.wire.AbortWords;
import dev.belay.session.wire.WireId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dispatches of a worker, independent of its connection. It always answers as if connected:
 * messages without a connection are lost, and {@link #unsettled()} repeats them.
 */
final class HeldDispatches {
  /** Why a strict dispatch ends that the server may have given up. */
  static final String LEASE_EXPIRED = RetryDecision.LEASE_EXPIRED;

  /** Upper bound on a lease; a shorter lease is always safe. */
  private static final Duration LEASE_MAX = Duration.ofDays(1);

  private final Leases leases = new Leases();
  private final int slots;
  private final int settledMax;
  private final Map<DispatchId, Holding> held = new LinkedHashMap<>();
  private final LinkedHashSet<DispatchId> settled = new LinkedHashSet<>();

  HeldDispatches(int slots, int settledMax, Recovered recovered) {
    this.slots = slots;
    this.settledMax = settledMax;
    recovered.held().forEach((id, last) -> held.put(id, Holding.recovered(last)));
    recovered.settled().forEach(this::remember);
  }

  /**
   * Takes or refuses each new dispatch. Records all before it acknowledges one, so that the journal
   * can write them together.
   *
   * @param unwilling why every new dispatch is refused
   */
  List<AgentCommand> assign(List<Dispatch> dispatches, @Nullable String unwilling) {
    var records = new ArrayList<AgentCommand>();
    var acknowledged = new LinkedHashSet<DispatchId>();
    var rest = new ArrayList<AgentCommand>();
    int free = freeSlots();
    for (var dispatch : dispatches) {
      var id = DispatchId.of(dispatch.getDispatchId());
      var task = TaskId.of(dispatch.getTaskId());
      var refusal = unwilling != null ? unwilling : free == 0 ? "full" : null;
      var holding = held.get(id);
      if (settled.contains(id)) {
        acknowledged.add(id);
      } else if (holding instanceof Holding.Ended ended) {
        rest.add(finished(ended.finished()));
      } else if (holding instanceof Holding.Refused before) {
        rest.add(refused(id, before.task(), before.reason()));
      } else if (holding != null && !(holding instanceof Holding.Recorded)) {
        acknowledged.add(id);
      } else if (refusal != null) {
        rest.add(refuse(id, task, refusal));
      } else {
        held.put(id, new Holding.Preparing(task, lease(dispatch), null));
        free--;
        records.add(new AgentCommand.Persist(new JournalEntry.Prepared(id, task)));
        acknowledged.add(id);
        rest.add(new AgentCommand.Prepare(dispatch));
      }
    }
    var commands = new ArrayList<>(records);
    if (!acknowledged.isEmpty()) {
      commands.add(acked(acknowledged));
    }
    commands.addAll(rest);
    return commands;
  }

  private AgentCommand refuse(DispatchId id, TaskId task, String reason) {
    held.put(id, new Holding.Refused(task, reason));
    return refused(id, task, reason);
  }

  private static @Nullable Duration lease(Dispatch dispatch) {
    return dispatch.getLeaseMs() > 0
        ? Duration.ofMillis(Math.min(dispatch.getLeaseMs(), LEASE_MAX.toMillis()))
        : null;
  }

  /** Records the start before the latch opens: after that nothing may start it again. */
  List<AgentCommand> prepared(DispatchId id, long pid, long atMs) {
    if (!(held.get(id) instanceof Holding.Preparing(var task, var lease, var stopReason))) {
      throw new IllegalStateException("prepared, but not being prepared: " + id);
    }
    if (stopReason != null) {
      return List.of();
    }
    if (lease != null) {
      held.put(id, new Holding.Asking(task, lease, atMs, pid, null));
      return leases.mayAsk() ? List.of(started(id, task, atMs, pid)) : List.of();
    }
    held.put(id, new Holding.Running(task, null, atMs, pid, null));
    return List.of(
        new AgentCommand.Persist(new JournalEntry.Started(id, task, atMs, pid)),
        new AgentCommand.Open(id),
        started(id, task, atMs, pid));
  }

  /**
   * The starts of these are committed. A grant after the end of the lease is useless: the server
   * may have given the dispatch up since, and a later lease would not show that.
   */
  List<AgentCommand> granted(List<DispatchId> ids, long nowNanos) {
    var commands = new ArrayList<AgentCommand>();
    for (var id : ids) {
      if (leases.mayAsk() && held.get(id) instanceof Holding.Asking asking) {
        if (asking.stopReason() == null) {
          commands.addAll(granted(id, asking, nowNanos));
        }
      }
    }
    return commands;
  }

  private List<AgentCommand> granted(DispatchId id, Holding.Asking asking, long nowNanos) {
    var task = asking.task();
    var lease = asking.lease();
    var until = leases.until(lease);
    if (until.isEmpty() || leases.isOver(lease, nowNanos)) {
      held.put(
          id, new Holding.Asking(task, lease, asking.askedAtMs(), asking.pid(), LEASE_EXPIRED));
      return List.of(new AgentCommand.Stop(id, LEASE_EXPIRED, Duration.ZERO));
    }
    held.put(id, new Holding.Running(task, lease, asking.askedAtMs(), asking.pid(), null));
    return List.of(
        new AgentCommand.Persist(
            new JournalEntry.Started(id, task, asking.askedAtMs(), asking.pid())),
        new AgentCommand.Lease(Map.of(id, until.getAsLong())),
        new AgentCommand.Open(id));
  }

  void heartbeatSent(long number, long nowNanos) {
    leases.sent(number, nowNanos);
  }

  /** Extends the leases. The first answered heartbeat of a connection lets it ask for starts. */
  List<AgentCommand> heartbeatSeen(long number) {
    boolean first = !leases.mayAsk();
    if (!leases.seen(number)) {
      return List.of();
    }
    var commands = new ArrayList<AgentCommand>();
    var extended = new LinkedHashMap<DispatchId, Long>();
    held.forEach(
        (id, holding) -> {
          if (holding instanceof Holding.Running(var _, var lease, var _, var _, var reason)
              && lease != null
              && reason == null) {
            leases.until(lease).ifPresent(until -> extended.put(id, until));
          } else if (first
              && holding instanceof Holding.Asking(var task, var _, var atMs, var pid, var reason)
              && reason == null) {
            commands.add(started(id, task, atMs, pid));
          }
        });
    if (!extended.isEmpty()) {
      commands.add(new AgentCommand.Lease(extended));
    }
    return commands;
  }

  /** Ends dispatches whose lease is over. A latched one does not run, and may be granted later. */
  List<AgentCommand> expire(long nowNanos) {
    var commands = new ArrayList<AgentCommand>();
    held.replaceAll(
        (id, holding) -> {
          if (holding instanceof Holding.Running(var task, var lease, var atMs, var pid, var reason)
              && lease != null
              && reason == null
              && leases.isOver(lease, nowNanos)) {
            commands.add(new AgentCommand.Stop(id, LEASE_EXPIRED, Duration.ZERO));
            return new Holding.Running(task, lease, atMs, pid, LEASE_EXPIRED);
          }
          return holding;
        });
    return commands;
  }

  void disconnected() {
    leases.disconnected();
  }

  List<AgentCommand> prepareFailed(DispatchId id, String message, long atMs) {
    return ended(startFailed(id, holding(id).task(), message, atMs));
  }

  /** Refuses it as if it was never taken, unless it must stop: then it ends, never started. */
  List<AgentCommand> prepareRefused(DispatchId id, String reason, long atMs) {
    var holding = holding(id);
    if (!(holding instanceof Holding.Preparing preparing) || preparing.stopReason() != null) {
      return ended(startFailed(id, holding.task(), reason, atMs));
    }
    return List.of(refuse(id, holding.task(), reason));
  }

  /**
   * Its start could not be recorded, so its latch stayed shut: refuses it as if it was never taken,
   * unless it is over or must stop: then it ends, never started.
   */
  List<AgentCommand> startRefused(DispatchId id, String reason) {
    if (!(held.get(id) instanceof Holding.Running running)) {
      return List.of();
    }
    if (running.stopReason() != null) {
      held.put(id, new Holding.Preparing(running.task(), running.lease(), running.stopReason()));
      return List.of();
    }
    return List.of(refuse(id, running.task(), reason));
  }

  boolean isStopped(DispatchId id) {
    return held.get(id) instanceof Holding.Preparing preparing && preparing.stopReason() != null;
  }

  boolean isRefused(DispatchId id) {
    return held.get(id) instanceof Holding.Refused;
  }

  List<AgentCommand> ended(Finished finished) {
    if (finished.getOutcomeCase() == Finished.OutcomeCase.OUTCOME_NOT_SET) {
      throw new IllegalArgumentException("ended without an outcome: " + finished.getDispatchId());
    }
    var id = DispatchId.of(finished.getDispatchId());
    var holding = holding(id);
    if (!finished.getTaskId().equals(holding.task().toString())) {
      throw new IllegalArgumentException("ended with another task: " + id);
    }
    return switch (holding) {
      case Holding.Preparing preparing -> latchGone(id, finished, preparing.stopReason());
      case Holding.Asking asking -> latchGone(id, finished, asking.stopReason());
      case Holding.Running running ->
          AbortWords.VOID.equals(running.stopReason())
              ? settle(id)
              : keep(
                  id,
                  neverLeased(finished)
                      ? finished
                      : finished.toBuilder().setStartedAtMs(running.startedAtMs()).build());
      case Holding.Recorded _, Holding.Ended _, Holding.Died _, Holding.Refused _ ->
          throw new IllegalStateException("ended, but not active: " + id);
    };
  }

  private Holding holding(DispatchId id) {
    var holding = held.get(id);
    if (holding == null) {
      throw new IllegalStateException("ended, but not held: " + id);
    }
    return holding;
  }

  /** Granted, but its latch stayed shut for lack of a lease. */
  private static boolean neverLeased(Finished finished) {
    return finished.getStartedAtMs() == 0
        && finished.getAborted().getReason().equals(RetryDecision.LEASE_UNWRITABLE);
  }

  private List<AgentCommand> latchGone(
      DispatchId id, Finished finished, @Nullable String stopReason) {
    return AbortWords.VOID.equals(stopReason)
        ? settle(id)
        : keep(id, neverStarted(finished, stopReason));
  }

  /** A latch that was never opened ran nothing, however its process ended. */
  private static Finished neverStarted(Finished finished, @Nullable String stopReason) {
    if (stopReason != null) {
      return abortedBeforeStart(finished, stopReason);
    }
    if (finished.hasStartFailed() || finished.hasAborted()) {
      return finished.toBuilder().setStartedAtMs(0).build();
    }
    return startFailed(
        DispatchId.of(finished.getDispatchId()),
        WireId.task(finished.getTaskId()),
        "its process ended before it was let run",
        finished.getEndedAtMs());
  }

  private List<AgentCommand> keep(DispatchId id, Finished outcome) {
    held.put(id, new Holding.Ended(outcome));
    return List.of(new AgentCommand.Persist(new JournalEntry.Ended(outcome)), finished(outcome));
  }

  List<AgentCommand> abort(Abort abort) {
    var id = DispatchId.of(abort.getDispatchId());
    var reason = abort.getReason();
    var stop = new AgentCommand.Stop(id, reason, Duration.ofMillis(abort.getGraceMs()));
    return switch (held.get(id)) {
      case Holding.Preparing(var task, var lease, var before) -> {
        held.put(id, new Holding.Preparing(task, lease, stronger(before, reason)));
        yield before == null ? List.of(stop) : List.of();
      }
      case Holding.Asking(var task, var lease, var atMs, var pid, var before) -> {
        held.put(id, new Holding.Asking(task, lease, atMs, pid, stronger(before, reason)));
        yield before == null ? List.of(stop) : List.of();
      }
      case Holding.Running(var task, var lease, var atMs, var pid, var before) -> {
        held.put(id, new Holding.Running(task, lease, atMs, pid, stronger(before, reason)));
        yield before == null ? List.of(stop) : List.of();
      }
      case Holding.Recorded _, Holding.Died _ when reason.equals(AbortWords.VOID) -> settle(id);
      // an outcome or refusal is on its way and will be settled; a Recorded one is assigned first
      case Holding.Recorded _, Holding.Died _, Holding.Ended _, Holding.Refused _ -> List.of();
      case null -> List.of();
    };
  }

  /** The first reason for a stop stays, but void replaces any other. */
  private static String stronger(@Nullable String before, String reason) {
    return before == null || reason.equals(AbortWords.VOID) ? reason : before;
  }

  /** A dispatch can be settled only without a process. */
  List<AgentCommand> settled(List<Settlement> settlements) {
    var commands = new ArrayList<AgentCommand>();
    for (var settlement : settlements) {
      var id = DispatchId.of(settlement.getDispatchId());
      switch (held.get(id)) {
        case Holding.Ended _, Holding.Died _, Holding.Refused _ -> commands.addAll(settle(id));
        case Holding.Recorded _, Holding.Preparing _, Holding.Asking _, Holding.Running _ -> {}
        case null -> {}
      }
    }
    return commands;
  }

  private List<AgentCommand> settle(DispatchId id) {
    held.remove(id);
    remember(id);
    return List.of(
        new AgentCommand.Persist(new JournalEntry.Settled(id)), new AgentCommand.Forget(id));
  }

  private void remember(DispatchId id) {
    settled.add(id);
    if (settled.size() > settledMax) {
      settled.removeFirst();
    }
  }

  /** Omits refused dispatches: the server assigns them and is refused again. */
  List<Held> forHello() {
    var list = new ArrayList<Held>();
    held.forEach(
        (id, holding) -> {
          var task = holding.task();
          switch (holding) {
            case Holding.Recorded _, Holding.Preparing _, Holding.Asking _ ->
                list.add(held(id, task, Held.Phase.PREPARING));
            case Holding.Running _ -> list.add(held(id, task, Held.Phase.RUNNING));
            case Holding.Ended _ -> list.add(held(id, task, Held.Phase.ENDED));
            case Holding.Died _ -> list.add(held(id, task, Held.Phase.DIED));
            case Holding.Refused _ -> {}
          }
        });
    return list;
  }

  private static Held held(DispatchId id, TaskId task, Held.Phase phase) {
    return Held.newBuilder()
        .setDispatchId(id.toString())
        .setTaskId(task.toString())
        .setPhase(phase)
        .build();
  }

  /** All that the server may not know yet, except starts that are only requested. */
  List<AgentCommand> unsettled() {
    var commands = new ArrayList<AgentCommand>();
    held.forEach(
        (id, holding) -> {
          switch (holding) {
            case Holding.Running(var task, var _, var atMs, var pid, var _) ->
                commands.add(started(id, task, atMs, pid));
            case Holding.Ended(var outcome) -> commands.add(finished(outcome));
            case Holding.Refused(var task, var reason) -> commands.add(refused(id, task, reason));
            case Holding.Recorded _, Holding.Preparing _, Holding.Asking _, Holding.Died _ -> {}
          }
        });
    return commands;
  }

  /** Lists dispatches that have or will have a process, and those that have not started. */
  void describe(Heartbeat.Builder heartbeat) {
    held.forEach(
        (id, holding) -> {
          if (holding.isActive()) {
            heartbeat.addActive(id.toString());
          }
          if (holding.isLatched()) {
            heartbeat.addPreparing(id.toString());
          }
        });
  }

  int freeSlots() {
    return Math.max(0, slots - (int) held.values().stream().filter(Holding::isActive).count());
  }

  int size() {
    return held.size();
  }

  /** No process, and no outcome or refusal that the server has not settled. */
  boolean isIdle() {
    return held.values().stream()
        .allMatch(h -> h instanceof Holding.Recorded || h instanceof Holding.Died);
  }
}
