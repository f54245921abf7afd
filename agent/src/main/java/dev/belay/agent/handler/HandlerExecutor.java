package dev.belay.agent.handler;

import dev.belay.agent.execute.Prepared;
import dev.belay.agent.execute.TaskExecutor;
import dev.belay.protocol.agent.v1.Dispatch;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** Runs dispatches by a handler. */
public final class HandlerExecutor implements TaskExecutor {

  private final Handler handler;
  private final Surroundings surroundings;

  /**
   * @param threads one thread for each running dispatch: virtual ones
   * @param timers for execution timeouts
   */
  record Surroundings(
      InstantSource clock, long pid, ThreadFactory threads, ScheduledExecutorService timers) {}

  public HandlerExecutor(Handler handler, InstantSource clock, ScheduledExecutorService timers) {
    this.handler = handler;
    this.surroundings =
        new Surroundings(
            clock,
            ProcessHandle.current().pid(),
            Thread.ofVirtual().name("belay-handler-", 0).factory(),
            timers);
  }

  @Override
  public void prepare(Dispatch dispatch, Consumer<Prepared> answer) {
    answer.accept(new HandlerTask(dispatch, handler, surroundings));
  }

  /** The threads are daemons; what they do is in the journal as started. */
  @Override
  public void close() {}
}
