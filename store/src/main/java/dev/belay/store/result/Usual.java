package dev.belay.store.result;

import static java.util.Objects.requireNonNull;

import dev.belay.engine.result.Decision;
import dev.belay.engine.result.Folded;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.Arrays;
import dev.belay.store.Sql;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The reports that nearly all are: a start, or an end with success, of a task's current dispatch.
 * Neither needs the task's policy or its counters, so they are written without reading it first, to
 * the task that must be in the state before: DISPATCHED, unless its start was written before.
 */
final class Usual {

  private Usual() {}

  /**
   * @param written the reports that are written now; the others need a look
   * @param marked a run was marked
   */
  record Written(Set<Folded> written, boolean marked) {
    boolean has(Folded reports) {
      return written.contains(reports);
    }
  }

  static Written write(Handle handle, String actor, Collection<Folded> all) {
    List<Folded> usual = all.stream().filter(Folded::isUsual).toList();
    if (usual.isEmpty()) {
      return new Written(Set.of(), false);
    }
    var query = handle.createQuery(Sql.named("result/write_usual")).bind("actor", actor);
    Arrays.bind(query, "task_ids", UUID.class, usual, r -> requireNonNull(r.task()).value());
    Arrays.bind(query, "dispatch_ids", UUID.class, usual, r -> r.any().dispatch().value());
    Arrays.bind(query, "worker_ids", UUID.class, usual, r -> r.any().worker().value());
    Arrays.bind(query, "session_ids", UUID.class, usual, r -> r.any().session().value());
    Arrays.bind(query, "after_starts", Boolean.class, usual, Folded::isAfterStart);
    Arrays.bind(query, "overs", Boolean.class, usual, r -> r.end().isPresent());
    Arrays.bind(query, "started_ms", Long.class, usual, Folded::startedAtMs);
    Arrays.bind(query, "ended_ms", Long.class, usual, Folded::endedAtMs);
    Arrays.bind(query, "details", String.class, usual, Usual::detail);
    List<Row> rows =
        query
            .map(
                (row, context) ->
                    new Row(
                        row.getObject("dispatch_id", UUID.class),
                        row.getObject("worker_id", UUID.class),
                        row.getObject("session_id", UUID.class),
                        row.getBoolean("marked")))
            .list();
    return written(usual, rows);
  }

  private record Row(UUID dispatch, UUID worker, UUID session, boolean marked) {}

  private static Written written(List<Folded> usual, List<Row> rows) {
    Set<List<UUID>> keys = new HashSet<>();
    boolean marked = false;
    for (Row row : rows) {
      keys.add(List.of(row.dispatch(), row.worker(), row.session()));
      marked |= row.marked();
    }
    List<Folded> written = new ArrayList<>(rows.size());
    for (Folded reports : usual) {
      WorkerEvent any = reports.any();
      if (keys.contains(
          List.of(any.dispatch().value(), any.worker().value(), any.session().value()))) {
        written.add(reports);
      }
    }
    return new Written(new HashSet<>(written), marked);
  }

  private static @Nullable String detail(Folded reports) {
    return reports.end().map(Decision::detail).orElse(null);
  }
}
