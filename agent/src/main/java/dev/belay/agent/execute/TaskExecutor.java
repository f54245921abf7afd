package dev.belay.agent.execute;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** Makes work of dispatches. Thread-safe. */
public interface TaskExecutor extends AutoCloseable {

  /**
   * Makes a dispatch ready without running it, and without blocking the caller.
   *
   * @param answer called once, perhaps before this returns
   */
  void prepare(Dispatch dispatch, Consumer<Prepared> answer);

  /**
   * Strict dispatches may run until then, by the kernel's uptime. One whose lease could not be kept
   * from outside this process does not open.
   */
  void lease(Map<DispatchId, Long> untilNanos);

  /** Ends what still runs. */
  @Override
  void close() throws IOException;
}
