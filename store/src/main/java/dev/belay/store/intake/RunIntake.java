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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Accepts runs of workflows; the planner creates their tasks. */
public final class RunIntake {

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;

  public RunIntake(Jdbi jdbi, Ids ids, Hints hints) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
  }

  /** Stores the run, or finds what its key stands for; returns after commit. */
  public Triggered trigger(NewRun wanted, String actor) {
    var done =
        Retry.on(
            Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE),
            () -> jdbi.inTransaction(handle -> trigger(handle, wanted, actor)));
    if (done instanceof Triggered.Accepted) {
      hints.runChanged();
    }
    return done;
  }

  private Triggered trigger(Handle handle, NewRun wanted, String actor) {
    var id = ids.next();
    var key = wanted.key();
    if (key != null) {
      switch (Keys.claim(handle, List.of(new Keys.Claim(key, List.of(id))))) {
        case Claimed.Conflict _ -> {
          handle.rollback();
          return new Triggered.KeyConflict(key.value());
        }
        case Claimed.Held(var earlier) -> {
          if (earlier.containsKey(key)) {
            return new Triggered.Accepted(earlier.getOrDefault(key, List.of()).getFirst());
          }
        }
      }
    }
    var version = find(handle, wanted, id);
    if (version.isEmpty()) {
      handle.rollback();
      return new Triggered.NoWorkflow();
    }
    return switch (wanted.params().of(version.get().facts())) {
      case Params.Refused(var problems) -> {
        handle.rollback();
        yield new Triggered.Refused(problems);
      }
      case Params.Resolved(var json) -> {
        insert(handle, version.get(), json, actor);
        yield new Triggered.Accepted(id);
      }
    };
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
              (row, context) ->
                  new Version(
                      row.getObject("id", UUID.class),
                      new Facts(
                          run,
                          wanted.tenant(),
                          wanted.workflow(),
                          row.getInt("version"),
                          row.getObject("now", OffsetDateTime.class).toInstant(),
                          row.getString("spec"))))
          .findFirst();
    }
  }

  private static void insert(Handle handle, Version version, String params, String actor) {
    var facts = version.facts();
    handle
        .createUpdate(Sql.named("intake/insert_run"))
        .bind("id", facts.id())
        .bind("tenant", facts.tenant())
        .bind("workflow_id", version.id())
        .bind("workflow", facts.workflow())
        .bind("params", params)
        .bind("created_at", facts.createdAt().atOffset(ZoneOffset.UTC))
        .bind("actor", actor)
        .execute();
  }

  private record Version(UUID id, Facts facts) {}
}
