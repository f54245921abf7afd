package dev.belay.store.schedule;

import dev.belay.domain.id.Ids;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.schedule.TriggerChanges;
import dev.belay.engine.schedule.TriggerChanges.Wanted;
import dev.belay.store.Sql;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Keeps the stored triggers like those of the latest versions of workflows. */
public final class StoredTriggers {

  private StoredTriggers() {}

  /**
   * Runs in the transaction that makes these versions the latest.
   *
   * @return the time until the first new trigger is due; empty when none waits for a time
   */
  public static Optional<Duration> follow(Handle handle, Collection<UUID> latest, Ids ids) {
    List<Workflow> workflows = new ArrayList<>();
    List<Wanted> wanted = new ArrayList<>();
    handle
        .createQuery(Sql.named("schedule/read_specs"))
        .bindArray("ids", UUID.class, List.copyOf(latest))
        .map((row, context) -> row.getString("spec"))
        .forEach(
            json -> {
              var spec = SpecCodec.fromJson(json);
              var workflow = new Workflow(spec.tenant(), spec.name());
              workflows.add(workflow);
              spec.triggers()
                  .forEach(
                      one -> wanted.add(Wanted.of(workflow, one, SpecCodec.triggerToJson(one))));
              if (spec.run().expectBy() != null) {
                wanted.add(Wanted.of(workflow, spec.run().expectBy()));
              }
            });
    return workflows.isEmpty()
        ? Optional.empty()
        : TriggerChanges.write(new ScheduleSql(handle), workflows, wanted, ids);
  }

  /** Runs in the transaction that deletes these workflows. */
  public static void end(Handle handle, Collection<Workflow> deleted, Ids ids) {
    if (!deleted.isEmpty()) {
      TriggerChanges.write(new ScheduleSql(handle), deleted, List.of(), ids);
    }
  }
}
