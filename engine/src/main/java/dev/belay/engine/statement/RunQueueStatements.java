package dev.belay.engine.statement;

import dev.belay.domain.id.RunId;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads and writes of the run queue. */
public interface RunQueueStatements {

  /**
   * A workflow whose control row is locked.
   *
   * @param limited it is paused or has a limit
   */
  record Control(String tenant, String name, boolean limited) {}

  /** Locks the control rows of the workflows of these runs. */
  List<Control> lockControls(Collection<RunId> runs);

  /** The given QUEUED runs that must wait, with the reason. */
  Map<RunId, String> readHeld(Collection<RunId> runs);

  void hold(Map<RunId, String> held);

  /** Marks held runs whose turn has come, at most {@code max} per workflow; returns how many. */
  int release(Collection<Control> controls, int max);
}
