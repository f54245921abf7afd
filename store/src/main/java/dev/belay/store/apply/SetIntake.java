package dev.belay.store.apply;

import dev.belay.domain.id.Ids;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.engine.statement.RunQueueStatements.Control;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.apply.Plan.Action;
import dev.belay.store.apply.Plan.Step;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.schedule.StoredTriggers;
import dev.belay.store.schedule.TriggerChecks;
import dev.belay.store.schedule.TriggerNeeds;
import dev.belay.store.system.Declarations;
import dev.belay.store.system.KnownRoutes;
import dev.belay.store.transaction.PostgresStatements;
import dev.belay.workflow.SpecCodec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Applies sets of workflows and the system file. */
public final class SetIntake {

  private static final Set<String> REPEATED =
      Set.of(Retry.UNIQUE_VIOLATION, Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;

  public SetIntake(Jdbi jdbi, Ids ids, Hints hints) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
  }

  /** What applying the set would do now. */
  public Applied plan(WantedSet wanted) {
    return jdbi.inTransaction(
        handle -> {
          lock(handle, "intake/share_set");
          var plan = new SetPlanner(handle).plan(wanted).plan();
          var change = change(plan, wanted);
          var faults = new TriggerChecks(handle).faults(change);
          return faults.isEmpty()
              ? done(handle, plan, wanted, change)
              : new Applied.Refused(faults);
        });
  }

  /**
   * Stores the whole set; returns after commit.
   *
   * @param token of the plan that a person confirmed; null applies whatever is wanted
   */
  public Applied apply(WantedSet wanted, @Nullable String token, String actor) {
    var done =
        Retry.on(REPEATED, () -> jdbi.inTransaction(handle -> apply(handle, wanted, token, actor)));
    if (done instanceof Applied.Done(var plan, _, _) && plan.changes()) {
      hints.runChanged();
      hints.triggersChanged();
      hints.routingChanged();
    }
    return done;
  }

  private Applied apply(Handle handle, WantedSet wanted, @Nullable String token, String actor) {
    lock(handle, "apply/lock_set");
    var planned = new SetPlanner(handle).plan(wanted);
    var plan = planned.plan();
    if (token != null && !token.equals(plan.token())) {
      return new Applied.Outdated();
    }
    var change = change(plan, wanted);
    var faults = new TriggerChecks(handle).faults(change);
    if (!faults.isEmpty()) {
      return new Applied.Refused(faults);
    }
    var latest = new HashSet<>(planned.restored());
    latest.addAll(insertVersions(handle, plan, wanted.workflows(), actor));
    setControls(handle, plan, latest);
    prune(handle, plan, Action.DELETE, "apply/delete_workflows", actor);
    StoredTriggers.end(handle, deleted(plan), ids);
    prune(handle, plan, Action.PAUSE, "apply/pause_workflows", actor);
    writeSystem(handle, plan, wanted, actor);
    return done(handle, plan, wanted, change);
  }

  private static Applied.Done done(
      Handle handle, Plan plan, WantedSet wanted, TriggerChecks.Change change) {
    return new Applied.Done(plan, known(handle, wanted), new TriggerChecks(handle).missing(change));
  }

  private static TriggerChecks.Change change(Plan plan, WantedSet wanted) {
    Map<Workflow, TriggerNeeds> needs = new HashMap<>();
    wanted
        .workflows()
        .forEach(each -> needs.put(new Workflow(each.tenant(), each.name()), each.needs()));
    var system = wanted.system();
    return new TriggerChecks.Change(
        needs,
        system == null
            ? null
            : system.calendars().stream().map(DayCalendar::name).collect(Collectors.toSet()),
        deleted(plan));
  }

  private static Set<Workflow> deleted(Plan plan) {
    return plan.steps().stream()
        .filter(step -> step.action() == Action.DELETE)
        .map(step -> new Workflow(step.tenant(), step.name()))
        .collect(Collectors.toSet());
  }

  private static void lock(Handle handle, String statement) {
    handle.createQuery(Sql.named(statement)).mapTo(String.class).list();
  }

  /** The ids of the new versions. */
  private List<UUID> insertVersions(
      Handle handle, Plan plan, List<NewWorkflow> workflows, String actor) {
    Map<List<String>, NewWorkflow> byName = new HashMap<>();
    workflows.forEach(each -> byName.put(List.of(each.tenant(), each.name()), each));
    var added = plan.steps().stream().filter(Step::addsVersion).toList();
    if (added.isEmpty()) {
      return List.of();
    }
    var files =
        added.stream().map(step -> byName.get(List.of(step.tenant(), step.name()))).toList();
    var newIds = added.stream().map(step -> ids.next()).toList();
    handle
        .createUpdate(Sql.named("apply/insert_versions"))
        .bindArray("ids", UUID.class, newIds)
        .bindArray("tenants", String.class, added.stream().map(Step::tenant).toList())
        .bindArray("names", String.class, added.stream().map(Step::name).toList())
        .bindArray("versions", Integer.class, added.stream().map(Step::version).toList())
        .bindArray("specs", String.class, files.stream().map(NewWorkflow::spec).toList())
        .bindArray("sources", String.class, files.stream().map(NewWorkflow::source).toList())
        .bindArray("spec_hashes", String.class, added.stream().map(Step::specHash).toList())
        .bindArray(
            "task_counts", Integer.class, files.stream().map(NewWorkflow::taskCount).toList())
        .bind("actor", actor)
        .execute();
    return newIds;
  }

  private void setControls(Handle handle, Plan plan, Set<UUID> latest) {
    if (latest.isEmpty()) {
      return;
    }
    handle
        .createUpdate(Sql.named("intake/set_controls"))
        .bindArray("ids", UUID.class, List.copyOf(latest))
        .execute();
    StoredTriggers.follow(handle, latest, ids);
    // Higher limits release waiting runs.
    var changed =
        plan.steps().stream()
            .filter(Step::addsVersion)
            .map(step -> new Control(step.tenant(), step.name(), true))
            .toList();
    RunQueue.ofWritten(new PostgresStatements(handle), changed).release();
  }

  private static void prune(
      Handle handle, Plan plan, Action action, String statement, String actor) {
    var pruned = plan.steps().stream().filter(step -> step.action() == action).toList();
    if (!pruned.isEmpty()) {
      handle
          .createUpdate(Sql.named(statement))
          .bindArray("tenants", String.class, pruned.stream().map(Step::tenant).toList())
          .bindArray("names", String.class, pruned.stream().map(Step::name).toList())
          .bind("actor", actor)
          .execute();
    }
  }

  private static void writeSystem(Handle handle, Plan plan, WantedSet wanted, String actor) {
    var system = wanted.system();
    if (system == null || plan.system() == null || !plan.system().action().changes()) {
      return;
    }
    handle
        .createUpdate(Sql.named("apply/write_system"))
        .bind("source", system.source())
        .bind("spec_hash", HexFormat.of().parseHex(plan.system().specHash()))
        .bind("actor", actor)
        .execute();
    Declarations.replace(handle, system.declared(), actor);
    handle
        .createUpdate(Sql.named("apply/write_calendars"))
        .bindArray(
            "names", String.class, system.calendars().stream().map(DayCalendar::name).toList())
        .bindArray(
            "specs",
            String.class,
            system.calendars().stream().map(SpecCodec::calendarToJson).toList())
        .execute();
  }

  /** With the wanted system file, also before it is stored. */
  private static KnownRoutes known(Handle handle, WantedSet wanted) {
    var system = wanted.system();
    return KnownRoutes.read(handle, system == null ? null : system.declared());
  }
}
