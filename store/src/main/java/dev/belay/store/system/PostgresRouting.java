package dev.belay.store.system;

import dev.belay.domain.system.Pool;
import dev.belay.domain.system.Tenant;
import dev.belay.domain.system.Tenant.SubmitRate;
import dev.belay.domain.system.Topic;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.Workflow;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** The leader's reads of what is declared. */
public final class PostgresRouting implements RoutingReads {

  private final Jdbi jdbi;

  public PostgresRouting(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  @Override
  public long version() {
    return jdbi.withHandle(PostgresRouting::version);
  }

  @Override
  public Declared declared() {
    return jdbi.inTransaction(
        TransactionIsolationLevel.REPEATABLE_READ,
        handle ->
            new Declared(
                version(handle), pools(handle), topics(handle), tenants(handle), maxTasks(handle)));
  }

  private static long version(Handle handle) {
    return handle.createQuery(Sql.named("system/read_version")).mapTo(Long.class).one();
  }

  private static List<Pool> pools(Handle handle) {
    return handle
        .createQuery(Sql.named("system/read_pools"))
        .map(
            (row, context) ->
                new Pool(
                    row.getString("name"),
                    row.getString("description"),
                    Pool.State.valueOf(row.getString("state")),
                    whole(row, "slots"),
                    names(row, "capabilities"),
                    Pool.Strategy.valueOf(row.getString("strategy"))))
        .list();
  }

  private static List<Topic> topics(Handle handle) {
    return handle
        .createQuery(Sql.named("system/read_topics"))
        .map(
            (row, context) ->
                new Topic(
                    row.getString("name"), row.getString("description"), names(row, "pools")))
        .list();
  }

  private static List<Tenant> tenants(Handle handle) {
    return handle
        .createQuery(Sql.named("system/read_tenants"))
        .map(
            (row, context) ->
                new Tenant(
                    row.getString("name"),
                    row.getString("description"),
                    row.getInt("weight"),
                    whole(row, "max_running"),
                    whole(row, "max_waiting"),
                    rate(row)))
        .list();
  }

  private static Map<Workflow, Integer> maxTasks(Handle handle) {
    Map<Workflow, Integer> limits = new HashMap<>();
    handle
        .createQuery(Sql.named("system/read_max_tasks"))
        .map(
            (row, context) ->
                Map.entry(
                    new Workflow(row.getString("tenant"), row.getString("name")),
                    row.getInt("max_tasks")))
        .forEach(limit -> limits.put(limit.getKey(), limit.getValue()));
    return limits;
  }

  private static @Nullable SubmitRate rate(ResultSet row) throws SQLException {
    Integer max = whole(row, "submit_max");
    return max == null
        ? null
        : new SubmitRate(max, Duration.ofMillis(row.getLong("submit_per_ms")));
  }

  private static @Nullable Integer whole(ResultSet row, String column) throws SQLException {
    return row.getObject(column, Integer.class);
  }

  private static TreeSet<String> names(ResultSet row, String column) throws SQLException {
    return new TreeSet<>(List.of((String[]) row.getArray(column).getArray()));
  }
}
