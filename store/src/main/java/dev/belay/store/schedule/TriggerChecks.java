package dev.belay.store.schedule;

import dev.belay.domain.schedule.Chains;
import dev.belay.engine.port.Workflow;
import dev.belay.store.Sql;
import dev.belay.store.schedule.TriggerFault.CalendarInUse;
import dev.belay.store.schedule.TriggerFault.Circle;
import dev.belay.store.schedule.TriggerFault.NoCalendar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the triggers of workflows need with what is stored, in the transaction that is to
 * store them and before it writes.
 *
 * <p>Invariant: the chains of stored workflows have no circle. So that two writers do not close one
 * together, a writer holds the lock of sets alone, or the lock of chains.
 */
public final class TriggerChecks {

  private static final int IN_USE_MAX = 100;

  private final Handle handle;

  public TriggerChecks(Handle handle) {
    this.handle = handle;
  }

  /**
   * @param workflows those that are to be stored, with their needs
   * @param calendars those that the new system file declares; null leaves them as they are
   * @param deleted workflows that go
   */
  public record Change(
      Map<Workflow, TriggerNeeds> workflows,
      @Nullable Set<String> calendars,
      Set<Workflow> deleted) {

    /** One workflow. */
    public static Change of(String tenant, String name, TriggerNeeds needs) {
      return new Change(Map.of(new Workflow(tenant, name), needs), null, Set.of());
    }

    private boolean leaves(Workflow workflow) {
      return !workflows.containsKey(workflow) && !deleted.contains(workflow);
    }
  }

  /** Why the change cannot be stored; empty when it can. */
  public List<TriggerFault> faults(Change change) {
    List<TriggerFault> faults = new ArrayList<>();
    faults.addAll(unknownCalendars(change));
    faults.addAll(calendarsInUse(change));
    faults.addAll(circles(change));
    return faults;
  }

  /** Until the end of the transaction, no other writer of a single workflow changes chains. */
  public void lockChains() {
    handle.createQuery(Sql.named("schedule/lock_chains")).mapTo(String.class).list();
  }

  private List<TriggerFault> unknownCalendars(Change change) {
    if (change.workflows().values().stream().allMatch(needs -> needs.calendars().isEmpty())) {
      return List.of();
    }
    Set<String> known =
        change.calendars() == null
            ? new HashSet<>(
                handle
                    .createQuery(Sql.named("schedule/read_calendar_names"))
                    .mapTo(String.class)
                    .list())
            : change.calendars();
    List<TriggerFault> faults = new ArrayList<>();
    change
        .workflows()
        .forEach(
            (workflow, needs) ->
                needs.calendars().stream()
                    .filter(calendar -> !known.contains(calendar))
                    .sorted()
                    .forEach(calendar -> faults.add(new NoCalendar(workflow, calendar, known))));
    return faults;
  }

  private List<CalendarInUse> calendarsInUse(Change change) {
    if (change.calendars() == null) {
      return List.of();
    }
    Set<Workflow> aside = new HashSet<>(change.workflows().keySet());
    aside.addAll(change.deleted());
    return handle
        .createQuery(Sql.named("schedule/read_calendar_uses"))
        .bindArray("calendars", String.class, List.copyOf(change.calendars()))
        .bindArray("tenants", String.class, aside.stream().map(Workflow::tenant).toArray())
        .bindArray("workflows", String.class, aside.stream().map(Workflow::name).toArray())
        .bind("max", IN_USE_MAX)
        .map(
            (row, context) ->
                new CalendarInUse(
                    row.getString("calendar"),
                    new Workflow(row.getString("tenant"), row.getString("workflow")),
                    row.getString("trigger")))
        .list();
  }

  private List<Circle> circles(Change change) {
    Map<String, Map<String, Set<String>>> chains = new TreeMap<>();
    change
        .workflows()
        .forEach(
            (workflow, needs) -> {
              if (!needs.workflows().isEmpty()) {
                chains
                    .computeIfAbsent(workflow.tenant(), tenant -> new TreeMap<>())
                    .put(workflow.name(), new TreeSet<>(needs.workflows()));
              }
            });
    if (chains.isEmpty()) {
      return List.of();
    }
    handle
        .createQuery(Sql.named("schedule/read_chains"))
        .bindArray("tenants", String.class, List.copyOf(chains.keySet()))
        .map(
            (row, context) ->
                Map.entry(
                    new Workflow(row.getString("tenant"), row.getString("workflow")),
                    row.getString("source")))
        .forEach(
            stored -> {
              if (change.leaves(stored.getKey())) {
                chains
                    .getOrDefault(stored.getKey().tenant(), new TreeMap<>())
                    .computeIfAbsent(stored.getKey().name(), name -> new TreeSet<>())
                    .add(stored.getValue());
              }
            });
    List<Circle> circles = new ArrayList<>();
    chains.forEach(
        (tenant, startedBy) ->
            Chains.circle(startedBy).ifPresent(circle -> circles.add(new Circle(tenant, circle))));
    return circles;
  }

  /** The workflows that a trigger waits for, and that will not be there after the change. */
  public Set<Workflow> missing(Change change) {
    Set<Workflow> named = new HashSet<>();
    change
        .workflows()
        .forEach(
            (workflow, needs) ->
                needs
                    .workflows()
                    .forEach(name -> named.add(new Workflow(workflow.tenant(), name))));
    named.removeAll(change.workflows().keySet());
    if (!named.isEmpty()) {
      handle
          .createQuery(Sql.named("schedule/read_known_workflows"))
          .bindArray("tenants", String.class, named.stream().map(Workflow::tenant).toArray())
          .bindArray("names", String.class, named.stream().map(Workflow::name).toArray())
          .map((row, context) -> new Workflow(row.getString("tenant"), row.getString("name")))
          .stream()
          .filter(known -> !change.deleted().contains(known))
          .toList()
          .forEach(named::remove);
    }
    return named;
  }
}
