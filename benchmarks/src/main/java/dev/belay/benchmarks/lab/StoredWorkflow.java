package dev.belay.benchmarks.lab;

import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.sql.SQLException;

/** A workflow that is written to the database without a server. */
public final class StoredWorkflow {

  /** The id of the only one. */
  public static final String ID = "00000000-0000-7000-8000-000000000001";

  private static final String INSERT =
      """
      INSERT INTO workflow (id, tenant, name, version, spec, source, spec_hash, task_count,
                            created_at, created_by)
      VALUES (?::uuid, 'default', ?, 1, ?::jsonb, ?, '', ?, now(), 'bench')
      """;

  private StoredWorkflow() {}

  public static void insert(Address database, String file) throws SQLException {
    if (!(WorkflowFile.parse("bench.yaml", file) instanceof Parsed.Valid valid)) {
      throw new IllegalStateException("the workflow of the benchmark is not valid");
    }
    try (var connection = database.connect();
        var insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, ID);
      insert.setString(2, valid.spec().name());
      insert.setString(3, SpecCodec.toJson(valid.spec()));
      insert.setString(4, file);
      insert.setInt(5, valid.spec().tasks().size());
      insert.execute();
    }
  }
}
