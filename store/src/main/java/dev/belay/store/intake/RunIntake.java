package dev.belay.store.intake;

import dev.belay.domain.id.Ids;
import dev.belay.engine.port.Hints;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.intake.Keys.Claimed;
import dev.belay.store.intake.NewRun.Facts;
import dev.belay.store.intake.NewRun.Params;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accepts runs of workflows. The planner creates their tasks. */
public final class RunIntake {

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;
  private final FullTenants full;

  public RunIntake(Jdbi jdbi, Ids ids, Hints hints) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
    this.full = new FullTenants(jdbi);
  }

  /**
   * Stores the run, or finds the run behind its key; returns after commit. Resolving parameters may
   * be slow, so no connection is held meanwhile.
   */
  public Triggered trigger(NewRun wanted, String actor) {
    var run = ids.next();
    var key = wanted.key();
    if (key != null) {
      var held = jdbi.withHandle(handle -> Keys.find(handle, key));
      if (held.isPresent()) {
        return earlier(held.get(), key);
      }
    }
    var version = jdbi.withHandle(handle -> find(handle, wanted, run));
    if (version.isEmpty()) {
      return new Triggered.NoWorkflow();
    }
    if (version.get().deleted()) {
      return new Triggered.Deleted();
    }
    return switch (wanted.params().of(version.get().facts())) {
      case Params.Refused(var problems) -> new Triggered.Refused(problems);
      case Params.Resolved(var json) -> store(version.get(), json, key, actor);
    };
  }

  private static Triggered earlier(Claimed claimed, IdempotencyKey key) {
    return switch (claimed) {
      case Claimed.Conflict _ -> new Triggered.KeyConflict(key.value());
      case Claimed.Held(var earlier) ->
          new Triggered.Accepted(earlier.getOrDefault(key, List.of()).getFirst());
    };
  }

  private Triggered store(
      Version version, String params, @Nullable IdempotencyKey key, String actor) {
    if (version.limited()) {
      full.count(Set.of(version.facts().tenant()));
    }
    var done =
        Retry.on(
            Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE),
            () -> jdbi.inTransaction(handle -> store(handle, version, params, key, actor)));
    if (done instanceof Triggered.Accepted) {
      hints.runChanged();
    } else if (done instanceof Triggered.Limited(var limit)) {
      full.refused(limit);
    }
    return done;
  }

  private static Triggered store(
      Handle handle, Version version, String params, @Nullable IdempotencyKey key, String actor) {
    var run = version.facts().id();
    if (key != null) {
      var claimed = Keys.claim(handle, List.of(new Keys.Claim(key, List.of(run))));
      if (!(claimed instanceof Claimed.Held(var before)) || before.containsKey(key)) {
        handle.rollback();
        return earlier(claimed, key);
      }
    }
    if (version.limited()) {
      var limit = new IntakeLimits(handle).count(Map.of(version.facts().tenant(), 1), Map.of());
      if (limit.isPresent()) {
        handle.rollback();
        return new Triggered.Limited(limit.get());
      }
    }
    if (insert(handle, version, params, actor) == 0) {
      handle.rollback();
      return new Triggered.Deleted();
    }
    return new Triggered.Accepted(run);
  }

  private static Optional<Version> find(Handle handle, NewRun wanted, UUID run) {
    var version = wanted.version();
    var sql =
        Sql.named("intake/find_workflow_to_run", version == null ? Set.of() : Set.of("version"));
    try (var query = handle.createQuery(sql)) {
      query.bind("tenant", wanted.tenant()).bind("name", wanted.workflow());
      if (version != null) {
        query.bind("version", version);
      }
      return query
          .map(
              (row, context) -> {
                var now = row.getObject("now", OffsetDateTime.class).toInstant();
                return new Version(
                    row.getObject("id", UUID.class),
                    row.getBoolean("deleted"),
                    row.getBoolean("limited"),
                    new Facts(
                        run,
                        wanted.tenant(),
                        wanted.workflow(),
                        now,
                        Objects.requireNonNullElse(wanted.logicalDate(), now),
                        row.getString("spec")));
              })
          .findFirst();
    }
  }

  private static int insert(Handle handle, Version version, String params, String actor) {
    var facts = version.facts();
    return handle
        .createUpdate(Sql.named("intake/insert_run"))
        .bind("id", facts.id())
        .bind("tenant", facts.tenant())
        .bind("workflow_id", version.id())
        .bind("workflow", facts.workflow())
        .bind("params", params)
        .bind("created_at", facts.createdAt().atOffset(ZoneOffset.UTC))
        .bind("logical_date", facts.logicalDate().atOffset(ZoneOffset.UTC))
        .bind("actor", actor)
        .execute();
  }

  /**
   * @param limited the submits of its tenant are counted
   */
  private record Version(UUID id, boolean deleted, boolean limited, Facts facts) {}
}
