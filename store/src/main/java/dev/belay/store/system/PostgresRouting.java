package dev.belay.store.system;

import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.routing.Topic;
import dev.belay.engine.port.RoutingReads;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

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
        TransactionIsolationLevel.REPEATABLE_READ, handle -> new Reading(handle).declared());
  }

  private static long version(Handle handle) {
    return handle.createQuery(Sql.named("system/read_version")).mapTo(Long.class).one();
  }

  /** One snapshot. */
  private static final class Reading {
    private final Handle handle;
    private final List<Pool> pools = new ArrayList<>();
    private final List<Topic> topics = new ArrayList<>();
    private final Map<String, Integer> poolSlots = new HashMap<>();
    private final Map<String, Integer> tenantRunning = new HashMap<>();
    private final Map<OfTenant, Integer> workflowTasks = new HashMap<>();
    private final Map<String, Integer> weights = new HashMap<>();

    Reading(Handle handle) {
      this.handle = handle;
    }

    Declared declared() {
      long version = version(handle);
      each("system/read_pools", this::pool);
      each(
          "system/read_topics",
          row -> topics.add(new Topic(row.getString("name"), List.of(texts(row, "pools")))));
      each("system/read_tenants", this::tenant);
      each(
          "system/read_max_tasks",
          row ->
              workflowTasks.put(
                  new OfTenant(row.getString("tenant"), row.getString("name")),
                  row.getInt("max_tasks")));
      return new Declared(
          version, pools, topics, new Limits(poolSlots, tenantRunning, workflowTasks), weights);
    }

    private void pool(ResultSet row) throws SQLException {
      String name = row.getString("name");
      pools.add(
          new Pool(
              name,
              Pool.State.valueOf(row.getString("state")),
              Set.of(texts(row, "capabilities")),
              Pool.Strategy.valueOf(row.getString("strategy"))));
      put(poolSlots, name, row, "slots");
    }

    private void tenant(ResultSet row) throws SQLException {
      String name = row.getString("name");
      weights.put(name, row.getInt("weight"));
      put(tenantRunning, name, row, "max_running");
    }

    private static void put(Map<String, Integer> limits, String name, ResultSet row, String column)
        throws SQLException {
      Integer limit = row.getObject(column, Integer.class);
      if (limit != null) {
        limits.put(name, limit);
      }
    }

    private static String[] texts(ResultSet row, String column) throws SQLException {
      return (String[]) row.getArray(column).getArray();
    }

    private interface Row {
      void read(ResultSet row) throws SQLException;
    }

    private void each(String statement, Row reading) {
      handle
          .createQuery(Sql.named(statement))
          .map(
              (row, context) -> {
                reading.read(row);
                return statement;
              })
          .list();
    }
  }
}
