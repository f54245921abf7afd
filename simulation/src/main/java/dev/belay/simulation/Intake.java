package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How clients bring work. Every call may be repeated. */
public interface Intake {

  /** One task; whether it is strict is in its policy. */
  record WantedTask(
      String name, int priority, String pool, Work work, @Nullable Duration deadline) {}

  List<TaskId> submit(String key, List<WantedTask> tasks);

  /** A further version of the workflow; how many of its runs may be active is in the spec. */
  void register(WorkflowSpec spec);

  RunId trigger(String key, String workflow);
}
