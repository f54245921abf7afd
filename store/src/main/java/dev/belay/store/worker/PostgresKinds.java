package dev.belay.store.worker;

import dev.belay.engine.port.KnownWorkers;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;

/** The kinds of workers on PostgreSQL. */
public final class PostgresKinds implements KnownWorkers {

  private final Jdbi jdbi;

  public PostgresKinds(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  @Override
  public Collection<Kind> kinds() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("worker/read_kinds"))
                .map((row, context) -> new Kind(texts(row, "pools"), texts(row, "capabilities")))
                .list());
  }

  /** A worker may name a pool twice. */
  private static Set<String> texts(ResultSet row, String column) throws SQLException {
    return Set.copyOf(List.of((String[]) row.getArray(column).getArray()));
  }
}
