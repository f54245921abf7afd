package dev.belay.store.runqueue;

import dev.belay.domain.id.RunId;
import dev.belay.engine.statement.RunQueueStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The statements of resources/sql/runqueue. */
public record RunQueueSql(Handle handle) implements RunQueueStatements {

  @Override
  public List<Control> lockControls(Collection<RunId> runs) {
    return handle
        .createQuery(Sql.named("runqueue/lock_controls"))
        .bindArray("runs", UUID.class, values(runs))
        .map(
            (row, context) ->
                new Control(
                    row.getString("tenant"), row.getString("name"), row.getBoolean("limited")))
        .list();
  }

  @Override
  public Map<RunId, String> readHeld(Collection<RunId> runs) {
    Map<RunId, String> held = new HashMap<>();
    handle
        .createQuery(Sql.named("runqueue/read_held"))
        .bindArray("runs", UUID.class, values(runs))
        .map(
            (row, context) ->
                Map.entry(new RunId(row.getObject("id", UUID.class)), row.getString("reason")))
        .forEach(entry -> held.put(entry.getKey(), entry.getValue()));
    return held;
  }

  @Override
  public void hold(Map<RunId, String> held) {
    var rows = List.copyOf(held.entrySet());
    var update = handle.createUpdate(Sql.named("runqueue/hold_runs"));
    Unnest.bind(update, "ids", UUID.class, rows, row -> row.getKey().value());
    Unnest.bind(update, "reasons", String.class, rows, Map.Entry::getValue);
    update.execute();
  }

  @Override
  public int release(Collection<Control> controls, int max) {
    var rows = List.copyOf(controls);
    var query = handle.createQuery(Sql.named("runqueue/release_runs")).bind("max", max);
    Unnest.bind(query, "tenants", String.class, rows, Control::tenant);
    Unnest.bind(query, "names", String.class, rows, Control::name);
    return query.mapTo(Integer.class).one();
  }

  private static List<UUID> values(Collection<RunId> runs) {
    return runs.stream().map(RunId::value).toList();
  }
}
