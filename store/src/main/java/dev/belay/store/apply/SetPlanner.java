package dev.belay.store.apply;

import dev.belay.store.Sql;
import dev.belay.store.apply.Plan.Action;
import dev.belay.store.apply.Plan.Step;
import dev.belay.store.apply.Plan.SystemStep;
import dev.belay.store.apply.WantedSet.Prune;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.SpecHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Compares a set with the stored workflows, in the transaction that holds the set's lock. */
final class SetPlanner {

  /** Old sources for differences; beyond this, a step says only that it changes. */
  private static final int SOURCES_BYTES_MAX = 4 << 20;

  private final Handle handle;

  SetPlanner(Handle handle) {
    this.handle = handle;
  }

  /**
   * @param restored the latest versions of deleted workflows that come back unchanged
   */
  record Planned(Plan plan, List<UUID> restored) {
    Planned {
      restored = List.copyOf(restored);
    }
  }

  private record Latest(UUID id, int version, String specHash, boolean deleted) {}

  private record Name(String tenant, String name) {}

  Planned plan(WantedSet wanted) {
    var latest = latest(wanted.workflows());
    var changed = new HashMap<Name, UUID>();
    var restored = new ArrayList<UUID>();
    var compared = new ArrayList<Step>();
    for (var workflow : wanted.workflows()) {
      var name = new Name(workflow.tenant(), workflow.name());
      var stored = latest.get(name);
      var step = compare(workflow, stored);
      compared.add(step);
      if (stored != null && step.addsVersion()) {
        changed.put(name, stored.id());
      } else if (stored != null && step.action() == Action.RESTORE) {
        restored.add(stored.id());
      }
    }
    var sources = sources(changed);
    var steps = new ArrayList<Step>();
    compared.forEach(
        step ->
            steps.add(
                before(step, sources.get(changed.get(new Name(step.tenant(), step.name()))))));
    steps.sort(Comparator.comparing(Step::tenant).thenComparing(Step::name));
    steps.addAll(others(wanted));
    return new Planned(new Plan(steps, system(wanted.system())), restored);
  }

  private static Step compare(NewWorkflow workflow, @Nullable Latest stored) {
    var hash = HexFormat.of().formatHex(SpecHash.of(workflow.spec()));
    int earlier = stored == null ? 0 : stored.version();
    boolean same = stored != null && stored.specHash().equals(hash);
    var action =
        stored == null
            ? Action.CREATE
            : stored.deleted() ? Action.RESTORE : same ? Action.UNCHANGED : Action.CHANGE;
    return new Step(
        action,
        workflow.tenant(),
        workflow.name(),
        same ? earlier : earlier + 1,
        earlier,
        hash,
        null);
  }

  private static Step before(Step step, @Nullable String source) {
    return new Step(
        step.action(),
        step.tenant(),
        step.name(),
        step.version(),
        step.earlier(),
        step.specHash(),
        source);
  }

  private Map<Name, Latest> latest(List<NewWorkflow> workflows) {
    Map<Name, Latest> latest = new HashMap<>();
    handle
        .createQuery(Sql.named("apply/read_latest"))
        .bindArray("tenants", String.class, workflows.stream().map(NewWorkflow::tenant).toList())
        .bindArray("names", String.class, workflows.stream().map(NewWorkflow::name).toList())
        .map(
            (row, context) ->
                Map.entry(
                    new Name(row.getString("tenant"), row.getString("name")),
                    new Latest(
                        row.getObject("id", UUID.class),
                        row.getInt("version"),
                        HexFormat.of().formatHex(row.getBytes("spec_hash")),
                        row.getBoolean("deleted"))))
        .forEach(entry -> latest.put(entry.getKey(), entry.getValue()));
    return latest;
  }

  private Map<UUID, String> sources(Map<Name, UUID> changed) {
    Map<UUID, String> sources = new HashMap<>();
    if (!changed.isEmpty()) {
      handle
          .createQuery(Sql.named("apply/read_sources"))
          .bindArray("ids", UUID.class, List.copyOf(changed.values()))
          .bind("bytes_max", SOURCES_BYTES_MAX)
          .map(
              (row, context) -> Map.entry(row.getObject("id", UUID.class), row.getString("source")))
          .forEach(entry -> sources.put(entry.getKey(), entry.getValue()));
    }
    return sources;
  }

  private List<Step> others(WantedSet wanted) {
    if (wanted.prune() == Prune.KEEP || wanted.workflows().isEmpty()) {
      return List.of();
    }
    boolean pause = wanted.prune() == Prune.PAUSE;
    var names = wanted.workflows();
    return handle
        .createQuery(Sql.named("apply/read_others", pause ? Set.of("pause") : Set.of()))
        .bindArray("tenants", String.class, names.stream().map(NewWorkflow::tenant).toList())
        .bindArray("names", String.class, names.stream().map(NewWorkflow::name).toList())
        .map(
            (row, context) ->
                new Step(
                    pause ? Action.PAUSE : Action.DELETE,
                    row.getString("tenant"),
                    row.getString("name"),
                    row.getInt("version"),
                    row.getInt("version"),
                    "",
                    null))
        .list();
  }

  private @Nullable SystemStep system(WantedSet.@Nullable NewSystem wanted) {
    if (wanted == null) {
      return null;
    }
    var hash = HexFormat.of().formatHex(SpecHash.of(wanted.spec()));
    return handle
        .createQuery(Sql.named("apply/read_system"))
        .map(
            (row, context) ->
                HexFormat.of().formatHex(row.getBytes("spec_hash")).equals(hash)
                    ? new SystemStep(Action.UNCHANGED, hash, null)
                    : new SystemStep(Action.CHANGE, hash, row.getString("source")))
        .findFirst()
        .orElseGet(() -> new SystemStep(Action.CREATE, hash, null));
  }
}
