package dev.belay.simulation;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** What PostgreSQL stores about backfills. */
record PostgresObservedBackfills(Jdbi jdbi) implements ObservedBackfills {

  @Override
  public List<Row> all() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT id, state, total, fired, skipped, (SELECT count(*) FROM run WHERE"
                        + " run.backfill_id = backfill.id) AS runs FROM backfill ORDER BY id")
                .map(
                    (row, context) ->
                        new Row(
                            new BackfillId(row.getObject("id", UUID.class)),
                            BackfillState.valueOf(row.getString("state")),
                            row.getInt("total"),
                            row.getInt("fired"),
                            row.getInt("skipped"),
                            row.getInt("runs")))
                .list());
  }

  @Override
  public List<String> odd() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT backfill_id || ' has ' || count(*) || ' runs for ' || logical_date FROM"
                        + " run WHERE backfill_id IS NOT NULL GROUP BY backfill_id, logical_date"
                        + " HAVING count(*) > 1 UNION ALL SELECT b.id || ' has ' || count(*) || '"
                        + " open runs of ' || b.concurrency FROM backfill b JOIN run r ON"
                        + " r.backfill_id = b.id WHERE r.state IN ('QUEUED', 'RUNNING') AND"
                        + " r.generation = 1 GROUP BY b.id HAVING count(*) > b.concurrency")
                .mapTo(String.class)
                .list());
  }

  @Override
  public Optional<BackfillId> of(RunId run) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT backfill_id FROM run WHERE id = :run AND backfill_id IS NOT NULL")
                .bind("run", run.value())
                .mapTo(UUID.class)
                .findFirst()
                .map(BackfillId::new));
  }
}
