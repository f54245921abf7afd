package dev.belay.agent.link;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Latched;
import dev.belay.agent.execute.Prepared;
import dev.belay.agent.execute.TaskExecutor;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.agent.AgentCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The dispatches that have or will have a process. Only the loop uses it; other threads create the
 * processes.
 */
final class Tasks {

  /** Called on the loop. */
  interface Listener {
    void prepared(Latched process);

    void prepareFailed(DispatchId dispatch, String message);

    /** The dispatch is fine: another worker, or this one later, may run it. */
    void prepareRefused(DispatchId dispatch, String reason);

    void ended(Ended ended);
  }

  private sealed interface Task {}

  /** {@code stop} came before there was a process to stop. */
  private record Preparing(AgentCommand.@Nullable Stop stop) implements Task {}

  private record Made(Latched process) implements Task {}

  private final TaskExecutor executor;
  private final Executor loop;
  private final Listener listener;
  private final Map<DispatchId, Task> tasks = new HashMap<>();

  Tasks(TaskExecutor executor, Executor loop, Listener listener) {
    this.executor = executor;
    this.loop = loop;
    this.listener = listener;
  }

  void prepare(Dispatch dispatch) {
    var id = DispatchId.of(dispatch.getDispatchId());
    tasks.put(id, new Preparing(null));
    executor.prepare(dispatch, answer -> loop.execute(() -> made(id, answer)));
  }

  private static String reason(Ended ended) {
    return ended.outcome() instanceof Outcome.StartFailed(var message)
        ? message
        : ended.outcome().toString();
  }

  private void made(DispatchId id, Prepared answer) {
    switch (answer) {
      case Latched process -> made(id, process);
      case Prepared.Failed(var ended) -> {
        tasks.remove(id);
        listener.prepareFailed(id, reason(ended));
      }
      case Prepared.NoRoom(var reason) -> {
        tasks.remove(id);
        listener.prepareRefused(id, reason);
      }
    }
  }

  private void made(DispatchId id, Latched process) {
    var before = tasks.get(id);
    tasks.put(id, new Made(process));
    var _ = process.ended().thenAccept(ended -> loop.execute(() -> listener.ended(ended)));
    var stop = before instanceof Preparing preparing ? preparing.stop() : null;
    if (stop != null) {
      process.terminate(stop.reason(), stop.grace());
    } else {
      listener.prepared(process);
    }
  }

  void lease(Map<DispatchId, Long> untilNanos) {
    executor.lease(untilNanos);
  }

  void open(DispatchId id, Instant at) {
    if (tasks.get(id) instanceof Made(var process)) {
      process.open(at);
    }
  }

  void stop(AgentCommand.Stop stop) {
    switch (tasks.get(stop.dispatch())) {
      case Preparing _ -> tasks.put(stop.dispatch(), new Preparing(stop));
      case Made(var process) -> process.terminate(stop.reason(), stop.grace());
      // It has already ended; the event is on its way.
      case null -> {}
    }
  }

  /** Ends all running tasks for the agent's own reason. */
  void terminateMade(String reason, Duration grace) {
    for (var task : tasks.values()) {
      if (task instanceof Made(var process)) {
        process.terminate(reason, grace);
      }
    }
  }

  List<DispatchId> preparing() {
    return tasks.entrySet().stream()
        .filter(entry -> entry.getValue() instanceof Preparing)
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean has(DispatchId id) {
    return tasks.containsKey(id);
  }

  void remove(DispatchId id) {
    tasks.remove(id);
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }
}
