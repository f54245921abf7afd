package dev.belay.store.intake;

import dev.belay.domain.system.IntakeCount;
import dev.belay.domain.system.IntakeCount.Verdict;
import dev.belay.domain.system.Tenant;
import dev.belay.domain.system.Tenant.SubmitRate;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Counts the submits of tenants that limit them, in the transaction that stores what they submit.
 * Each such tenant has a row of {@code tenant_intake}, which the transaction locks until it ends:
 * so its submits come one after the other, at all replicas, and none of them can be missed.
 *
 * <p>Locks: idempotency keys, unique keys and the tasks that are replaced before these rows, and
 * these in the order of names.
 */
final class IntakeLimits {

  private final Handle handle;
  private final Set<String> counted = new HashSet<>();

  IntakeLimits(Handle handle) {
    this.handle = handle;
  }

  private record Limited(Tenant tenant, IntakeCount count) {}

  /**
   * Counts a submit, or refuses it.
   *
   * @param sizes how many tasks or runs by tenant; those of other tenants are not counted
   * @param freed how many waiting tasks by tenant this transaction has ended
   * @return the limit that refuses it, and then nothing may be stored; empty when all is counted,
   *     or nothing has to be
   */
  Optional<TenantLimit> count(Map<String, Integer> sizes, Map<String, Integer> freed) {
    List<Limited> limited = lock(sizes.keySet());
    limited.forEach(each -> counted.add(each.tenant().name()));
    // After the lock, because the wait for it may be long.
    Instant now = limited.isEmpty() ? Instant.EPOCH : now();
    for (Limited each : limited) {
      String name = each.tenant().name();
      int size = sizes.getOrDefault(name, 0);
      IntakeCount count = each.count().without(freed.getOrDefault(name, 0));
      Verdict verdict = count.submit(each.tenant(), size, now);
      if (verdict instanceof Verdict.MustCount) {
        count = count.counted(waiting(name), now);
        verdict = count.submit(each.tenant(), size, now);
      }
      switch (verdict) {
        case Verdict.Accepted(var next) -> write(name, next);
        case Verdict.Refused(var limit, var retryAfter) -> {
          return Optional.of(new TenantLimit(name, limit, retryAfter));
        }
        case Verdict.MustCount _ -> throw new IllegalStateException("counted just now");
      }
    }
    return Optional.empty();
  }

  /** Counts the waiting tasks of a tenant, unless that was done lately. */
  void recount(String tenant) {
    for (Limited each : lock(Set.of(tenant))) {
      Instant now = now();
      if (each.tenant().maxWaiting() != null && each.count().isOld(now)) {
        write(tenant, each.count().counted(waiting(tenant), now));
      }
    }
  }

  /** The tenants whose submits are counted. */
  Set<String> counted() {
    return counted;
  }

  private List<Limited> lock(Set<String> tenants) {
    return handle
        .createQuery(Sql.named("intake/lock_tenants"))
        .bindArray("tenants", String.class, List.copyOf(tenants))
        .map((row, context) -> limited(row))
        .list();
  }

  private static Limited limited(ResultSet row) throws SQLException {
    Integer max = row.getObject("submit_max", Integer.class);
    SubmitRate rate =
        max == null ? null : new SubmitRate(max, Duration.ofMillis(row.getLong("submit_per_ms")));
    Tenant tenant =
        new Tenant(
            row.getString("name"),
            null,
            Tenant.WEIGHT_DEFAULT,
            null,
            row.getObject("max_waiting", Integer.class),
            rate);
    return new Limited(
        tenant,
        new IntakeCount(
            row.getLong("waiting"),
            time(row, "counted_at"),
            row.getDouble("tokens"),
            time(row, "filled_at")));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private Instant now() {
    return handle
        .createQuery(Sql.named("intake/read_now"))
        .mapTo(OffsetDateTime.class)
        .one()
        .toInstant();
  }

  private long waiting(String tenant) {
    return handle
        .createQuery(Sql.named("intake/count_waiting"))
        .bind("tenant", tenant)
        .mapTo(Long.class)
        .one();
  }

  private void write(String tenant, IntakeCount count) {
    handle
        .createUpdate(Sql.named("intake/write_tenant_intake"))
        .bind("tenant", tenant)
        .bind("waiting", count.waiting())
        .bind("counted_at", count.countedAt().atOffset(ZoneOffset.UTC))
        .bind("tokens", count.tokens())
        .bind("filled_at", count.filledAt().atOffset(ZoneOffset.UTC))
        .execute();
  }
}
