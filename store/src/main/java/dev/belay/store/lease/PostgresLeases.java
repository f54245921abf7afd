package dev.belay.store.lease;

import dev.belay.engine.port.LeaseStore;
import dev.belay.engine.port.LeaseToken;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.statement.SqlStatement;

/** The leases in PostgreSQL. A job that is not due costs one read by its name. */
public final class PostgresLeases implements LeaseStore {

  private final Jdbi jdbi;

  public PostgresLeases(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  private record Row(boolean free, boolean ahead, NotDue answer) {}

  @Override
  public Answer acquire(String job, String holder, Duration period, Duration ttl) {
    return jdbi.withHandle(
        handle -> {
          Row row = read(handle, job, period).orElseGet(() -> declare(handle, job, period, ttl));
          if (row.ahead()) {
            handle
                .createUpdate(Sql.named("lease/pull_lease"))
                .bind("name", job)
                .bind("period_ms", period.toMillis())
                .execute();
            row = read(handle, job, period).orElse(row);
          }
          Optional<Answer> acquired =
              row.free() ? acquire(handle, job, holder, ttl) : Optional.empty();
          return acquired.orElse(row.answer());
        });
  }

  private static Optional<Row> read(Handle handle, String job, Duration period) {
    return handle
        .createQuery(Sql.named("lease/read_lease"))
        .bind("name", job)
        .bind("period_ms", period.toMillis())
        .map(
            (row, context) ->
                new Row(
                    row.getBoolean("free"),
                    row.getBoolean("ahead"),
                    new NotDue(seconds(row, "wait_seconds"), seconds(row, "since_done_seconds"))))
        .findOne();
  }

  private static Row declare(Handle handle, String job, Duration period, Duration ttl) {
    handle
        .createUpdate(Sql.named("lease/declare_lease"))
        .bind("name", job)
        .bind("ttl_ms", ttl.toMillis())
        .execute();
    return read(handle, job, period).orElseThrow();
  }

  private static Optional<Answer> acquire(Handle handle, String job, String holder, Duration ttl) {
    return handle
        .createQuery(Sql.named("lease/acquire_lease"))
        .bind("name", job)
        .bind("holder", holder)
        .bind("ttl_ms", ttl.toMillis())
        .map(
            (row, context) ->
                (Answer)
                    new Acquired(
                        new LeaseToken(job, holder, row.getLong("token")),
                        Optional.ofNullable(row.getString("past_holder"))))
        .findOne();
  }

  @Override
  public Optional<Duration> renew(LeaseToken token) {
    return jdbi.withHandle(
        handle ->
            of(handle.createQuery(Sql.named("lease/renew_lease")), token)
                .map((row, context) -> seconds(row, "since_done_seconds"))
                .findOne());
  }

  @Override
  public boolean finish(LeaseToken token, Duration period, Outcome outcome) {
    return jdbi.withHandle(
        handle ->
            of(handle.createUpdate(Sql.named("lease/finish_lease")), token)
                    .bind("period_ms", period.toMillis())
                    .bind("outcome", outcome.word())
                    .execute()
                > 0);
  }

  /** In the order of their names. */
  public List<JobLease> list() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("lease/list_leases"))
                .map(ConstructorMapper.of(JobLease.class))
                .list());
  }

  private static <T extends SqlStatement<T>> T of(T statement, LeaseToken token) {
    return statement
        .bind("name", token.job())
        .bind("holder", token.holder())
        .bind("token", token.value());
  }

  private static Duration seconds(ResultSet row, String column) throws SQLException {
    return Duration.ofNanos((long) (row.getDouble(column) * 1e9));
  }
}
