package dev.belay.engine.port;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.RunView;
import java.util.Collection;
import java.util.List;

/** Reads of planning. */
public interface PlanReads {

  /** The oldest marks. Read them before their runs: a later mark then stays for the next plan. */
  default List<Mark> readMarks(int max) {
    return readMarks(max, List.of());
  }

  /**
   * @param except runs whose marks are left out
   */
  List<Mark> readMarks(int max, Collection<RunId> except);

  List<StoredRun> readRuns(Collection<RunId> runs);

  /** The spec of a workflow version as JSON. */
  String readSpec(WorkflowId workflow);

  /** "This run changed". */
  record Mark(long id, RunId run) {}

  /** A run and its tasks as stored. */
  record StoredRun(RunId id, String tenant, WorkflowId workflow, RunView view) {}
}
