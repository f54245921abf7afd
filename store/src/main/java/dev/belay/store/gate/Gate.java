package dev.belay.store.gate;

import dev.belay.domain.id.RunId;
import dev.belay.store.Arrays;
import dev.belay.store.Sql;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The workflows whose runs one transaction starts, ends or lets go, locked against each other. */
public final class Gate {

  /** Held runs of one workflow released together; each start of one releases the next. */
  public static final int RELEASED_MAX = 1_000;

  private final Handle handle;
  private final List<Control> controls;

  private Gate(Handle handle, List<Control> controls) {
    this.handle = handle;
    this.controls = controls;
  }

  /**
   * @param limited it is paused or has a limit
   */
  private record Control(String tenant, String name, boolean limited) {}

  /** Locks the workflows of these runs. */
  public static Gate of(Handle handle, Collection<RunId> runs) {
    if (runs.isEmpty()) {
      return new Gate(handle, List.of());
    }
    var controls =
        handle
            .createQuery(Sql.named("gate/lock_controls"))
            .bindArray("runs", UUID.class, values(runs))
            .map(
                (row, context) ->
                    new Control(
                        row.getString("tenant"), row.getString("name"), row.getBoolean("limited")))
            .list();
    return new Gate(handle, controls);
  }

  /** A workflow whose control row this transaction has written, and so holds. */
  public static Gate ofWritten(Handle handle, String tenant, String name) {
    return new Gate(handle, List.of(new Control(tenant, name, true)));
  }

  /** Those of the QUEUED runs that must wait, with the reason. Call under the fence. */
  public Map<RunId, String> held(Collection<RunId> runs) {
    Map<RunId, String> held = new HashMap<>();
    if (!runs.isEmpty() && controls.stream().anyMatch(Control::limited)) {
      handle
          .createQuery(Sql.named("gate/read_held"))
          .bindArray("runs", UUID.class, values(runs))
          .map(
              (row, context) ->
                  Map.entry(new RunId(row.getObject("id", UUID.class)), row.getString("reason")))
          .forEach(entry -> held.put(entry.getKey(), entry.getValue()));
    }
    return held;
  }

  /** Writes why they wait. Their marks may go: {@link #release} brings them back. */
  public void hold(Map<RunId, String> held) {
    if (!held.isEmpty()) {
      var rows = List.copyOf(held.entrySet());
      var update = handle.createUpdate(Sql.named("gate/hold_runs"));
      Arrays.bind(update, "ids", UUID.class, rows, row -> row.getKey().value());
      Arrays.bind(update, "reasons", String.class, rows, Map.Entry::getValue);
      update.execute();
    }
  }

  /** Marks the held runs whose turn has come; answers how many. */
  public int release() {
    if (controls.isEmpty()) {
      return 0;
    }
    var query = handle.createQuery(Sql.named("gate/release_runs")).bind("max", RELEASED_MAX);
    Arrays.bind(query, "tenants", String.class, controls, Control::tenant);
    Arrays.bind(query, "names", String.class, controls, Control::name);
    return query.mapTo(Integer.class).one();
  }

  private static List<UUID> values(Collection<RunId> runs) {
    return runs.stream().map(RunId::value).toList();
  }
}
