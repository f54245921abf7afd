package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How clients bring work, steer it and take it back. Every call may be repeated. */
public interface Intake {

  /** One task; whether it is strictly fenced is in its policy. */
  record WantedTask(
      String name, int priority, String pool, Work work, @Nullable Duration deadline) {}

  List<TaskId> submit(String key, List<WantedTask> tasks);

  /** A further version of the workflow; how many of its runs may be active is in the spec. */
  void register(WorkflowSpec spec);

  RunId trigger(String key, String workflow);

  void cancelTask(TaskId task);

  void cancelRun(RunId run);

  void pause(String workflow);

  void resume(String workflow);

  /** True when it was over and is QUEUED again. */
  boolean retryRun(RunId run);

  /** True when it is forgotten; a worker that is heard is not. */
  boolean removeWorker(WorkerId worker);

  /** False when nobody knows it. */
  boolean revokeWorker(WorkerId worker);

  /** Forgets its key; false when it has none. */
  boolean allowWorker(WorkerId worker);
}
