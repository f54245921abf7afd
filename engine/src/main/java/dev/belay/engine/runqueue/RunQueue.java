package dev.belay.engine.runqueue;

import dev.belay.domain.id.RunId;
import dev.belay.engine.statement.RunQueueStatements;
import dev.belay.engine.statement.RunQueueStatements.Control;
import dev.belay.engine.statement.Statements;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The workflows whose runs one transaction starts, ends or releases, locked against others. */
public final class RunQueue {

  /** Held runs of one workflow released together; each start of one releases the next. */
  public static final int RELEASED_MAX = 1_000;

  private final RunQueueStatements statements;
  private final List<Control> controls;

  private RunQueue(Statements statements, List<Control> controls) {
    this.statements = statements.runQueue();
    this.controls = controls;
  }

  /** Locks the workflows of these runs. */
  public static RunQueue of(Statements statements, Collection<RunId> runs) {
    return new RunQueue(
        statements, runs.isEmpty() ? List.of() : statements.runQueue().lockControls(runs));
  }

  /** A workflow whose control row this transaction has written and so locked. */
  public static RunQueue ofWritten(Statements statements, String tenant, String name) {
    return new RunQueue(statements, List.of(new Control(tenant, name, true)));
  }

  /** Like {@link #ofWritten(Statements, String, String)}, for several. */
  public static RunQueue ofWritten(Statements statements, Collection<Control> controls) {
    return new RunQueue(statements, List.copyOf(controls));
  }

  /** The given QUEUED runs that must wait, with the reason. Call under the epoch lock. */
  public Map<RunId, String> held(Collection<RunId> runs) {
    return !runs.isEmpty() && controls.stream().anyMatch(Control::limited)
        ? statements.readHeld(runs)
        : Map.of();
  }

  /** Writes why they wait. Their marks may be deleted: {@link #release} adds new ones. */
  public void hold(Map<RunId, String> held) {
    if (!held.isEmpty()) {
      statements.hold(held);
    }
  }

  /** Marks the held runs whose turn has come; returns how many. */
  public int release() {
    return controls.isEmpty() ? 0 : statements.release(controls, RELEASED_MAX);
  }
}
