package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Finished;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one life of an agent. What a task does is in its argv: {@code run MILLIS CODES}
 * runs so long and exits with the code of its attempt (the last one for all further attempts).
 */
final class Processes {
  private static final Duration PREPARING_MAX = Duration.ofMillis(50);
  private static final Duration STOPPING_MAX = Duration.ofSeconds(5);
  private static final double EXITS_WHILE_STOPPED = 0.2;

  /** Told how a process came to be and how it ended. */
  interface Listener {
    void prepared(DispatchId dispatch);

    void prepareFailed(DispatchId dispatch);

    void ended(Finished finished);
  }

  private static final class Running {
    final Dispatch dispatch;
    @Nullable String stopReason;
    boolean prepared;
    boolean open;

    Running(Dispatch dispatch) {
      this.dispatch = dispatch;
    }

    List<String> argv() {
      return dispatch.getArgvList();
    }

    Duration runs() {
      return Duration.ofMillis(Long.parseLong(argv().get(1)));
    }

    int code() {
      var codes = List.of(argv().get(2).split(","));
      return Integer.parseInt(codes.get(Math.min(dispatch.getAttempt(), codes.size()) - 1));
    }
  }

  private final World world;
  private final Listener listener;
  private final Map<DispatchId, Running> processes = new LinkedHashMap<>();

  Processes(World world, Listener listener) {
    this.world = world;
    this.listener = listener;
  }

  boolean isEmpty() {
    return processes.isEmpty();
  }

  void prepare(Dispatch dispatch) {
    var id = DispatchId.of(dispatch.getDispatchId());
    var process = new Running(dispatch);
    processes.put(id, process);
    later(world.chance.upTo(PREPARING_MAX), id, process, () -> made(id, process));
  }

  private void made(DispatchId id, Running process) {
    if (process.stopReason != null) {
      end(id, aborted(id, process.stopReason));
    } else if (world.goesWrong(world.faults().prepareFails())) {
      processes.remove(id);
      listener.prepareFailed(id);
    } else {
      process.prepared = true;
      listener.prepared(id);
    }
  }

  void open(DispatchId id) {
    var process = processes.get(id);
    if (process == null || !process.prepared || process.open || process.stopReason != null) {
      throw new InvariantBroken("a gate was opened that was not waiting: " + id);
    }
    process.open = true;
    world.ledger.opened(id, TaskId.of(process.dispatch.getTaskId()));
    var limit = Duration.ofMillis(process.dispatch.getExecutionTimeoutMs());
    if (limit.isPositive() && limit.compareTo(process.runs()) < 0) {
      later(limit, id, process, () -> end(id, timedOut(id, limit)));
    } else {
      later(process.runs(), id, process, () -> exit(id, process));
    }
  }

  private void exit(DispatchId id, Running process) {
    world.ledger.exited(id, process.code());
    var finished = finished(id);
    finished.getExitBuilder().setCode(process.code());
    end(id, finished.build());
  }

  void stop(DispatchId id, String reason) {
    var process = processes.get(id);
    if (process == null || process.stopReason != null) {
      return;
    }
    process.stopReason = reason;
    if (!process.prepared) {
      return; // ends when it is made
    }
    boolean exits = process.open && world.chance.happens(EXITS_WHILE_STOPPED);
    later(
        world.chance.upTo(STOPPING_MAX),
        id,
        process,
        () -> {
          if (exits) {
            exit(id, process);
          } else {
            end(id, aborted(id, reason));
          }
        });
  }

  /**
   * As an agent does that ends gracefully: what runs is asked to end, what does not yet may begin.
   */
  void stopOpen(String reason) {
    List.copyOf(processes.entrySet()).stream()
        .filter(entry -> entry.getValue().open)
        .forEach(entry -> stop(entry.getKey(), reason));
  }

  /** The agent is dead, and so are they. */
  void killAll() {
    processes.keySet().forEach(world.ledger::killed);
    processes.clear();
  }

  private void end(DispatchId id, Finished finished) {
    processes.remove(id);
    world.ledger.killed(id);
    listener.ended(finished);
  }

  private void later(Duration delay, DispatchId id, Running process, Runnable action) {
    world.after(
        delay,
        () -> {
          if (processes.get(id) == process) {
            action.run();
          }
        });
  }

  private Finished.Builder finished(DispatchId id) {
    return Finished.newBuilder()
        .setDispatchId(id.toString())
        .setEndedAtMs(world.scheduler.millis());
  }

  private Finished aborted(DispatchId id, String reason) {
    var finished = finished(id);
    finished.getAbortedBuilder().setReason(reason);
    return finished.build();
  }

  private Finished timedOut(DispatchId id, Duration limit) {
    var finished = finished(id);
    finished.getTimedOutBuilder().setLimitMs(limit.toMillis());
    return finished.build();
  }
}
