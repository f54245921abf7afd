package dev.belay.store.trigger;

import dev.belay.domain.id.EventId;
import dev.belay.domain.id.TriggerId;
import dev.belay.engine.port.EventKey;
import dev.belay.engine.statement.EventStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** The writing statements of what events meant for triggers. */
public record EventSql(Handle handle) implements EventStatements {

  @Override
  public Set<EventKey> lock(Collection<EventKey> keys, Open open) {
    var query = handle.createQuery(Sql.named("trigger/lock_events")).bind("open", word(open));
    bind(query, List.copyOf(keys), key -> key);
    return new HashSet<>(query.map((row, context) -> key(row)).list());
  }

  @Override
  public int decide(List<Decided> decided, Open open) {
    var update = handle.createUpdate(Sql.named("trigger/decide_events")).bind("open", word(open));
    bind(update, decided, Decided::key);
    Verdicts.bind(update, decided, Decided::verdict);
    return update.execute();
  }

  private static <S extends SqlStatement<S>, T> void bind(
      S statement, List<T> rows, Function<T, EventKey> key) {
    Unnest.bind(statement, "triggers", UUID.class, rows, row -> key.apply(row).trigger().value());
    Unnest.bind(statement, "events", UUID.class, rows, row -> key.apply(row).event().value());
  }

  private static String word(Open open) {
    return open.name().toLowerCase(Locale.ROOT);
  }

  static EventKey key(ResultSet row) throws SQLException {
    return new EventKey(
        new TriggerId(row.getObject("trigger_id", UUID.class)),
        new EventId(row.getObject("event_id", UUID.class)));
  }
}
