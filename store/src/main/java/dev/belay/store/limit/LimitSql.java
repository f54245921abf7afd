package dev.belay.store.limit;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.LimitStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** The engine's statements of resources/sql/limit. */
public record LimitSql(Handle handle) implements LimitStatements {

  @Override
  public List<Granted> withdraw(List<Withdrawal> wanted) {
    var query = handle.createQuery(Sql.named("limit/withdraw_tokens"));
    Unnest.bind(query, "tenants", String.class, wanted, one -> one.key().tenant());
    Unnest.bind(query, "keys", String.class, wanted, one -> one.key().name());
    Unnest.bind(query, "sizes", Integer.class, wanted, Withdrawal::size);
    Unnest.bind(query, "rates", Double.class, wanted, Withdrawal::perSecond);
    Unnest.bind(query, "held", Integer.class, wanted, Withdrawal::held);
    Unnest.bind(query, "returned", Integer.class, wanted, Withdrawal::returned);
    Unnest.bind(query, "since", Double.class, wanted, one -> one.hold().since());
    Unnest.bind(query, "held_for", Double.class, wanted, one -> one.hold().heldFor());
    Unnest.bind(query, "wanted", Integer.class, wanted, Withdrawal::wanted);
    return query
        .map(
            (row, context) ->
                new Granted(
                    new OfTenant(row.getString("tenant"), row.getString("key")),
                    row.getInt("granted"),
                    row.getDouble("tokens_left")))
        .list();
  }

  @Override
  public CancelledNew cancelNew(List<FullKey> keys, int max, String reason, String actor) {
    Set<QueueId> full = new HashSet<>();
    List<Cancelled> cancelled = new ArrayList<>();
    bind(handle.createQuery(Sql.named("limit/cancel_new")), keys)
        .bind("max", max)
        .bind("reason", reason)
        .bind("actor", actor)
        .map(
            (row, context) -> {
              full.add(new QueueId(row.getLong("queue_id")));
              UUID task = row.getObject("id", UUID.class);
              UUID run = row.getObject("run_id", UUID.class);
              if (task != null) {
                cancelled.add(new Cancelled(new TaskId(task), run == null ? null : new RunId(run)));
              }
              return full.size();
            })
        .list();
    return new CancelledNew(full, cancelled);
  }

  @Override
  public List<AttemptKey> findOldestHolders(List<FullKey> keys, int max) {
    return bind(handle.createQuery(Sql.named("limit/find_oldest_holders")), keys)
        .bind("max", max)
        .map(
            (row, context) ->
                new AttemptKey(
                    new TaskId(row.getObject("id", UUID.class)),
                    new DispatchId(row.getObject("dispatch_id", UUID.class))))
        .list();
  }

  private record Holder(QueueId of, QueueId queue) {}

  private static Query bind(Query query, List<FullKey> keys) {
    List<Holder> holders =
        keys.stream()
            .flatMap(key -> key.holders().stream().map(held -> new Holder(key.queue(), held)))
            .toList();
    Unnest.bind(query, "queues", Long.class, keys, key -> key.queue().value());
    Unnest.bind(query, "limits", Integer.class, keys, FullKey::limit);
    Unnest.bind(query, "of", Long.class, holders, held -> held.of().value());
    Unnest.bind(query, "holders", Long.class, holders, held -> held.queue().value());
    return query;
  }
}
