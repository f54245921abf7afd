package dev.belay.agent.execute;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** Executes dispatches. Thread-safe. */
public interface TaskExecutor extends AutoCloseable {

  /**
   * Makes a dispatch ready to run. Does not run it and does not block the caller.
   *
   * @param answer called once, perhaps before this returns
   */
  void prepare(Dispatch dispatch, Consumer<Prepared> answer);

  /**
   * Lets strict dispatches run until these times, in the kernel's uptime. A dispatch whose lease no
   * process outside the agent enforces does not open.
   */
  void lease(Map<DispatchId, Long> untilNanos);

  /** Ends all running dispatches. */
  @Override
  void close() throws IOException;
}
