package dev.belay.store.trigger;

import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.domain.trigger.TargetState;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.TriggerTarget;
import dev.belay.engine.port.Workflow;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** The reads of chains, on PostgreSQL. */
public record PostgresChains(Jdbi jdbi) implements ChainReads {

  @Override
  public List<PendingChain> readPending(int max, int each) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trigger/read_chains"))
                .bind("max", max)
                .bind("each", each)
                .map(
                    (row, context) ->
                        new PendingChain(
                            ChainSql.key(row),
                            RunState.valueOf(row.getString("state")),
                            row.getObject("logical_date", OffsetDateTime.class).toInstant(),
                            row.getInt("depth"),
                            row.getString("spec"),
                            target(row)))
                .list());
  }

  static TriggerTarget target(ResultSet row) throws SQLException {
    var version = row.getObject("workflow_id", UUID.class);
    return new TriggerTarget(
        new Workflow(row.getString("tenant"), row.getString("workflow")),
        version == null ? null : new WorkflowId(version),
        new TargetState(
            row.getBoolean("deleted"), row.getBoolean("paused"), row.getBoolean("trigger_paused")),
        new TriggerTarget.Limit(
            row.getObject("max_active", Integer.class), Overlap.valueOf(row.getString("overlap"))),
        row.getObject("now", OffsetDateTime.class).toInstant());
  }
}
