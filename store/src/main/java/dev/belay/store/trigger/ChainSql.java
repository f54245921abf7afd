package dev.belay.store.trigger;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.engine.port.ChainKey;
import dev.belay.engine.statement.ChainStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** The writing statements of chains. */
public record ChainSql(Handle handle) implements ChainStatements {

  @Override
  public Set<ChainKey> lockPending(Collection<ChainKey> keys) {
    var query = handle.createQuery(Sql.named("trigger/lock_chains"));
    bind(query, List.copyOf(keys), key -> key);
    return new HashSet<>(query.map((row, context) -> key(row)).list());
  }

  @Override
  public int decide(List<Decided> decided) {
    var update = handle.createUpdate(Sql.named("trigger/decide_chains"));
    bind(update, decided, Decided::key);
    Verdicts.bind(update, decided, Decided::verdict);
    return update.execute();
  }

  private static <S extends SqlStatement<S>, T> void bind(
      S statement, List<T> rows, Function<T, ChainKey> key) {
    Unnest.bind(statement, "triggers", UUID.class, rows, row -> key.apply(row).trigger().value());
    Unnest.bind(statement, "upstreams", UUID.class, rows, row -> key.apply(row).upstream().value());
    Unnest.bind(statement, "generations", Integer.class, rows, row -> key.apply(row).generation());
  }

  static ChainKey key(ResultSet row) throws SQLException {
    return new ChainKey(
        new TriggerId(row.getObject("trigger_id", UUID.class)),
        new RunId(row.getObject("upstream_run_id", UUID.class)),
        row.getInt("generation"));
  }
}
