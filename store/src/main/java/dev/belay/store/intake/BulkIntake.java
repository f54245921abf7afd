package dev.belay.store.intake;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkTarget;
import dev.belay.engine.port.Hints;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.bulk.BulkSql;
import dev.belay.store.bulk.BulkSql.NewBulk;
import dev.belay.store.bulk.BulkSql.Preview;
import dev.belay.store.intake.Keys.Claimed;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accepts bulk operations. The leader works them off. */
public final class BulkIntake {

  /** A preview looks at so many tasks in the states of the filter. */
  private static final int LOOKED_MAX = 200_000;

  private static final int SAMPLE_MAX = 10;

  private final Jdbi jdbi;
  private final Hints hints;

  public BulkIntake(Jdbi jdbi, Hints hints) {
    this.jdbi = jdbi;
    this.hints = hints;
  }

  /** The answer to a request for a bulk operation. */
  public sealed interface Started {
    record Accepted(UUID id) implements Started {}

    /** As many as may be are RUNNING. */
    record TooMany() implements Started {}

    record KeyConflict(String key) implements Started {}
  }

  /** By the clock of the database, which a filter's ages refer to. */
  public Instant now() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("retention/read_now"))
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant());
  }

  public Preview preview(BulkTarget target, BulkFilter filter, Instant now) {
    return jdbi.withHandle(
        handle -> new BulkSql(handle).preview(target, filter, now, LOOKED_MAX, SAMPLE_MAX));
  }

  /** The operation behind a key; empty when no request claimed it. */
  public Optional<Started> earlier(IdempotencyKey key) {
    return jdbi.withHandle(handle -> Keys.find(handle, key)).map(held -> earlier(held, key));
  }

  private static Started earlier(Claimed claimed, IdempotencyKey key) {
    return switch (claimed) {
      case Claimed.Conflict _ -> new Started.KeyConflict(key.value());
      case Claimed.Held(var earlier) ->
          new Started.Accepted(earlier.getOrDefault(key, List.of()).getFirst());
    };
  }

  /** Stores the operation, or finds the one behind its key; returns after commit. */
  public Started start(NewBulk wanted, @Nullable IdempotencyKey key, String actor, int runningMax) {
    var done =
        Retry.on(
            Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE),
            () -> jdbi.inTransaction(handle -> start(handle, wanted, key, actor, runningMax)));
    hints.triggersChanged();
    return done;
  }

  private static Started start(
      Handle handle, NewBulk wanted, @Nullable IdempotencyKey key, String actor, int runningMax) {
    UUID id = wanted.id().value();
    if (key != null) {
      var claimed = Keys.claim(handle, List.of(new Keys.Claim(key, List.of(id))));
      if (!(claimed instanceof Claimed.Held(var before)) || before.containsKey(key)) {
        handle.rollback();
        return earlier(claimed, key);
      }
    }
    if (!new BulkSql(handle).insert(wanted, actor, runningMax)) {
      handle.rollback();
      return new Started.TooMany();
    }
    return new Started.Accepted(id);
  }
}
