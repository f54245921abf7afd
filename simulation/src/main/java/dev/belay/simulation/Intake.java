package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.util.List;

/** How clients bring work and take it back. Every call may be repeated. */
interface Intake {

  record WantedTask(String name, int priority, String pool, Work work) {}

  List<TaskId> submit(String key, List<WantedTask> tasks);

  void register(WorkflowSpec spec);

  RunId trigger(String key, String workflow);

  void cancelTask(TaskId task);

  void cancelRun(RunId run);
}
