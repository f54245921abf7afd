package dev.belay.store.intake;

import dev.belay.domain.id.Ids;
import dev.belay.engine.port.Hints;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.schedule.StoredTriggers;
import dev.belay.store.schedule.TriggerChecks;
import dev.belay.store.schedule.TriggerFault;
import dev.belay.store.schedule.TriggerNeeds;
import dev.belay.store.transaction.PostgresStatements;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Stores versions of workflows. */
public final class WorkflowIntake {

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;

  public WorkflowIntake(Jdbi jdbi, Ids ids, Hints hints) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
  }

  /**
   * Stores a new version, unless the latest one has the same spec. Brings a deleted workflow back.
   */
  public Registered register(NewWorkflow workflow, String actor) {
    var answer =
        Retry.on(
            Set.of(Retry.UNIQUE_VIOLATION),
            () -> jdbi.inTransaction(handle -> register(handle, workflow, actor)));
    if (answer instanceof Registered.Done(var registration, _)) {
      tell(registration);
    }
    return answer;
  }

  /**
   * Stores a new version with the content of an earlier one, unless the latest one has it. Like a
   * register, it brings a deleted workflow back.
   */
  public RolledBack rollBack(String tenant, String name, int version, String actor) {
    var answer =
        Retry.on(
            Set.of(Retry.UNIQUE_VIOLATION),
            () -> jdbi.inTransaction(handle -> rollBack(handle, tenant, name, version, actor)));
    if (answer instanceof RolledBack.Done(var registration)) {
      tell(registration);
    }
    return answer;
  }

  private void tell(Registration done) {
    if (done.created() || done.restored()) {
      hints.triggersChanged();
      hints.routingChanged();
    }
  }

  private Registered register(Handle handle, NewWorkflow workflow, String actor) {
    var id = ids.next();
    lock(handle, workflow.tenant(), workflow.name());
    var faults = faults(handle, workflow.tenant(), workflow.name(), workflow.needs());
    if (!faults.isEmpty()) {
      return new Registered.Refused(faults);
    }
    var version =
        handle
            .createQuery(Sql.named("intake/insert_workflow"))
            .bind("id", id)
            .bind("tenant", workflow.tenant())
            .bind("name", workflow.name())
            .bind("spec", workflow.spec())
            .bind("source", workflow.source())
            .bind("spec_hash", SpecHash.of(workflow.spec()))
            .bind("task_count", workflow.taskCount())
            .bind("actor", actor)
            .mapTo(Integer.class)
            .findFirst();
    var change = TriggerChecks.Change.of(workflow.tenant(), workflow.name(), workflow.needs());
    return new Registered.Done(
        written(handle, workflow.tenant(), workflow.name(), id, version),
        new TriggerChecks(handle).missing(change));
  }

  private RolledBack rollBack(
      Handle handle, String tenant, String name, int earlier, String actor) {
    lock(handle, tenant, name);
    var exists =
        handle
            .createQuery(Sql.named("intake/find_version"))
            .bind("tenant", tenant)
            .bind("name", name)
            .bind("version", earlier)
            .mapTo(Integer.class)
            .findFirst();
    if (exists.isEmpty()) {
      return new RolledBack.NoVersion();
    }
    var faults = faults(handle, tenant, name, needs(handle, tenant, name, earlier));
    if (!faults.isEmpty()) {
      return new RolledBack.Refused(faults);
    }
    var id = ids.next();
    var version =
        handle
            .createQuery(Sql.named("intake/insert_rollback"))
            .bind("id", id)
            .bind("tenant", tenant)
            .bind("name", name)
            .bind("version", earlier)
            .bind("actor", actor)
            .mapTo(Integer.class)
            .findFirst();
    return new RolledBack.Done(written(handle, tenant, name, id, version));
  }

  private static List<TriggerFault> faults(
      Handle handle, String tenant, String name, TriggerNeeds needs) {
    var checks = new TriggerChecks(handle);
    if (!needs.workflows().isEmpty()) {
      checks.lockChains();
    }
    return checks.faults(TriggerChecks.Change.of(tenant, name, needs));
  }

  private static TriggerNeeds needs(Handle handle, String tenant, String name, int version) {
    Set<String> calendars = new HashSet<>();
    Set<String> workflows = new HashSet<>();
    handle
        .createQuery(Sql.named("intake/read_needs"))
        .bind("tenant", tenant)
        .bind("name", name)
        .bind("version", version)
        .map(
            (row, context) -> {
              Optional.ofNullable(row.getString("calendar")).ifPresent(calendars::add);
              Optional.ofNullable(row.getString("workflow")).ifPresent(workflows::add);
              return version;
            })
        .list();
    return new TriggerNeeds(calendars, workflows);
  }

  /** A set that is applied comes before or after this, and so does another writer of the name. */
  private static void lock(Handle handle, String tenant, String name) {
    handle.createQuery(Sql.named("intake/share_set")).mapTo(String.class).list();
    handle
        .createQuery(Sql.named("intake/lock_workflow"))
        .bind("tenant", tenant)
        .bind("name", name)
        .mapTo(String.class)
        .list();
  }

  private Registration written(
      Handle handle, String tenant, String name, UUID id, Optional<Integer> version) {
    boolean restored =
        handle
                .createUpdate(Sql.named("intake/restore_workflow"))
                .bind("tenant", tenant)
                .bind("name", name)
                .execute()
            > 0;
    if (version.isEmpty()) {
      Registration same = latest(handle, tenant, name, restored);
      if (restored) {
        StoredTriggers.follow(handle, List.of(same.id()), ids);
      }
      return same;
    }
    handle
        .createUpdate(Sql.named("intake/set_controls"))
        .bindArray("ids", UUID.class, List.of(id))
        .execute();
    StoredTriggers.follow(handle, List.of(id), ids);
    // A higher limit releases waiting runs.
    RunQueue.ofWritten(new PostgresStatements(handle), tenant, name).release();
    return new Registration(id, version.get(), true, restored);
  }

  private static Registration latest(Handle handle, String tenant, String name, boolean restored) {
    return handle
        .createQuery(Sql.named("intake/find_latest_workflow"))
        .bind("tenant", tenant)
        .bind("name", name)
        .map(
            (row, context) ->
                new Registration(
                    row.getObject("id", UUID.class), row.getInt("version"), false, restored))
        .one();
  }
}
