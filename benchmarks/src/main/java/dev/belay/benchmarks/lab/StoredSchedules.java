package dev.belay.benchmarks.lab;

import dev.belay.domain.id.OrderedIds;
import dev.belay.store.Database;
import dev.belay.store.Sql;
import dev.belay.store.schedule.StoredTriggers;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Workflows with a cron trigger each, written to the database a thousand at a time. */
public final class StoredSchedules {

  private static final int BATCH = 1_000;
  private static final int CONNECTIONS = 2;

  private static final String INSERT =
      """
      INSERT INTO workflow (id, tenant, name, version, spec, source, spec_hash, task_count,
                            created_at, created_by)
      SELECT w.id, 'default', w.name, 1,
             CAST(w.spec AS jsonb) || jsonb_build_object('name', w.name), '', '', 1,
             now(), 'bench'
      FROM unnest(CAST(:ids AS uuid[]), CAST(:names AS text[]), CAST(:specs AS text[]))
           AS w (id, name, spec)
      """;

  private StoredSchedules() {}

  /**
   * @param prefix of the workflows' names
   * @param expressions which the workflows take in turn
   */
  public static void insert(Address database, String prefix, int count, List<String> expressions) {
    List<String> specs = expressions.stream().map(StoredSchedules::spec).toList();
    var ids = new OrderedIds(InstantSource.system(), new SecureRandom());
    try (var source =
        Database.pool(
            database.jdbcUrl(),
            database.user(),
            database.password(),
            CONNECTIONS,
            "belay bench",
            Database.Bounds.DEFAULT)) {
      var jdbi = Database.jdbi(source);
      for (int from = 0; from < count; from += BATCH) {
        List<UUID> workflows = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> theirs = new ArrayList<>();
        for (int i = from; i < Math.min(from + BATCH, count); i++) {
          workflows.add(ids.next());
          names.add(prefix + i);
          theirs.add(specs.get(i % specs.size()));
        }
        jdbi.useTransaction(
            handle -> {
              insert(handle, workflows, names, theirs);
              StoredTriggers.follow(handle, workflows, ids);
            });
      }
    }
  }

  private static void insert(
      Handle handle, List<UUID> workflows, List<String> names, List<String> specs) {
    handle
        .createUpdate(INSERT)
        .bindArray("ids", UUID.class, workflows)
        .bindArray("names", String.class, names)
        .bindArray("specs", String.class, specs)
        .execute();
    handle
        .createUpdate(Sql.named("intake/set_controls"))
        .bindArray("ids", UUID.class, workflows)
        .execute();
  }

  /** Fires none of them any more. */
  public static void end(Address database) throws SQLException {
    database.execute(
        "UPDATE trigger_version SET until_at = belay_now(), due_at = NULL WHERE until_at IS NULL");
  }

  private static String spec(String expression) {
    var parsed =
        WorkflowFile.parse(
            "bench.yaml",
            """
            name: bench
            triggers:
              - cron: "%s"
            tasks:
              - {name: noop, command: [noop], pool: %s}
            """
                .formatted(expression, BelaySystem.POOL));
    if (!(parsed instanceof Parsed.Valid valid)) {
      throw new IllegalStateException("the workflow of the benchmark is not valid: " + parsed);
    }
    return SpecCodec.toJson(valid.spec());
  }
}
