package dev.belay.simulation.model;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.simulation.ObservedBackfills;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** What the store in memory holds about backfills. */
record MemoryObservedBackfills(Tables tables) implements ObservedBackfills {

  @Override
  public List<Row> all() {
    return tables.database.look(
        statement ->
            statement.rows(tables.backfill, any -> true).stream()
                .map(
                    row ->
                        new Row(
                            row.given.id(),
                            row.state,
                            row.given.total(),
                            row.fired,
                            row.skipped,
                            statement
                                .rows(tables.run, run -> run.isOfBackfill(row.given.id()))
                                .size()))
                .toList());
  }

  @Override
  public List<String> odd() {
    return tables.database.look(
        statement -> {
          var odd = new ArrayList<String>();
          for (BackfillRow backfill : statement.rows(tables.backfill, any -> true)) {
            BackfillId id = backfill.given.id();
            var runs = new TreeMap<Instant, Integer>();
            int open = 0;
            for (RunRow run : statement.rows(tables.run, row -> row.isOfBackfill(id))) {
              runs.merge(Objects.requireNonNull(run.logicalDate), 1, Integer::sum);
              open += run.isOpen() && run.generation == 1 ? 1 : 0;
            }
            runs.forEach(
                (at, count) -> {
                  if (count > 1) {
                    odd.add(id + " has " + count + " runs for " + at);
                  }
                });
            int concurrency = backfill.given.rules().concurrency();
            if (open > concurrency) {
              odd.add(id + " has " + open + " open runs of " + concurrency);
            }
          }
          return odd;
        });
  }

  @Override
  public Optional<BackfillId> of(RunId run) {
    return tables.database.look(
        statement ->
            statement
                .read(tables.run, run)
                .flatMap(row -> Optional.ofNullable(row.cause))
                .flatMap(cause -> Optional.ofNullable(cause.backfill())));
  }
}
