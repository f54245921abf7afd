package dev.belay.agent.handler;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Prepared;
import dev.belay.agent.execute.TaskExecutor;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Dispatch;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** Executes dispatches by calling a handler. */
public final class HandlerExecutor implements TaskExecutor {

  private final Handler handler;
  private final ProcessContext surroundings;

  /**
   * @param threads virtual threads, one for each running dispatch
   * @param timers for execution timeouts
   */
  record ProcessContext(
      InstantSource clock, long pid, ThreadFactory threads, ScheduledExecutorService timers) {}

  public HandlerExecutor(Handler handler, InstantSource clock, ScheduledExecutorService timers) {
    this.handler = handler;
    this.surroundings =
        new ProcessContext(
            clock,
            ProcessHandle.current().pid(),
            Thread.ofVirtual().name("belay-handler-", 0).factory(),
            timers);
  }

  /**
   * Refuses strict tasks, because no process outside this JVM could end a handler whose lease is
   * over, and tasks with a stall timeout, because handlers have no output.
   */
  @Override
  public void prepare(Dispatch dispatch, Consumer<Prepared> answer) {
    if (dispatch.getArgvList().isEmpty() && dispatch.getScript().isEmpty()) {
      // The server could not read the work; a handler might treat that as a success.
      answer.accept(cannot(dispatch, "the task has neither a command nor a script"));
    } else if (dispatch.getLeaseMs() > 0) {
      // A failure: in a pool of such workers a refused task would go round endlessly.
      answer.accept(
          cannot(
              dispatch,
              "fencing: strict needs a worker that runs commands; this one runs handlers in its"
                  + " own process, which nobody could end in time"));
    } else if (dispatch.getStallTimeoutMs() > 0) {
      answer.accept(
          cannot(
              dispatch,
              "stall_timeout needs a worker that runs commands; this one runs handlers in its own"
                  + " process, which have no output that could show that they live"));
    } else {
      answer.accept(new HandlerTask(dispatch, handler, surroundings));
    }
  }

  private Prepared cannot(Dispatch dispatch, String why) {
    return new Prepared.Failed(
        Ended.startFailed(
            DispatchId.of(dispatch.getDispatchId()),
            TaskId.of(dispatch.getTaskId()),
            surroundings.clock().instant(),
            why));
  }

  @Override
  public void lease(Map<DispatchId, Long> untilNanos) {
    throw new IllegalStateException("leased, but cannot be: " + untilNanos.keySet());
  }

  /** The threads are daemons, and the journal holds their dispatches as started. */
  @Override
  public void close() {}
}
