package dev.belay.agent.process;

import dev.belay.agent.execute.Prepared;
import dev.belay.agent.execute.TaskExecutor;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs dispatches as processes, which a thread pool creates.
 *
 * <p>Invariant: the threads of the pool live as long as the agent, because the kernel ends a task
 * with the thread that started it ({@link Launcher}).
 */
public final class ProcessExecutor implements TaskExecutor {

  private static final Logger log = LoggerFactory.getLogger(ProcessExecutor.class);

  private final TaskProcesses processes;
  private final BiFunction<DispatchId, TaskId, LogSink> logs;
  private final Executor pool;

  /**
   * @param logs opens the log of a dispatch
   */
  public ProcessExecutor(
      TaskProcesses processes, BiFunction<DispatchId, TaskId, LogSink> logs, Executor pool) {
    this.processes = processes;
    this.logs = logs;
    this.pool = pool;
  }

  @Override
  public void prepare(Dispatch dispatch, Consumer<Prepared> answer) {
    pool.execute(
        () -> {
          Prepared made = make(dispatch);
          try {
            answer.accept(made);
          } catch (RuntimeException | Error e) {
            // The kernel would end this thread's tasks with the thread.
            log.atError().setCause(e).log("prepared task not taken");
          }
        });
  }

  /** Any exception fails this dispatch only. */
  private Prepared make(Dispatch dispatch) {
    var id = DispatchId.of(dispatch.getDispatchId());
    LogSink sink = null;
    try {
      sink = logs.apply(id, TaskId.of(dispatch.getTaskId()));
      return processes.prepare(dispatch, sink);
    } catch (RuntimeException | Error e) {
      // Without an answer it would hold its slot until the agent ends.
      log.atError().setCause(e).addKeyValue("dispatch", id).log("task cannot be prepared");
      if (sink != null) {
        sink.close();
      }
      return new Prepared.NoRoom("the agent cannot prepare it: " + e);
    }
  }

  @Override
  public void lease(Map<DispatchId, Long> untilNanos) {
    processes.lease(untilNanos);
  }

  @Override
  public void close() throws IOException {
    processes.close();
  }
}
