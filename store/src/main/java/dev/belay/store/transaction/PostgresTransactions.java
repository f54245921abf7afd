package dev.belay.store.transaction;

import dev.belay.engine.port.Epoch;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import dev.belay.store.Retry;
import dev.belay.store.leader.EpochLock;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;

/** Transactions on PostgreSQL, under READ COMMITTED. */
public final class PostgresTransactions implements Transactions {

  private static final Set<String> GIVEN_UP = Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  private final Jdbi jdbi;

  public PostgresTransactions(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  @Override
  public <T> T each(Function<Statements, T> work) {
    return Retry.on(
        GIVEN_UP, () -> jdbi.withHandle(handle -> work.apply(new PostgresStatements(handle))));
  }

  @Override
  public <T> T together(Function<Statements, T> work) {
    return Retry.on(
        GIVEN_UP, () -> jdbi.inTransaction(handle -> work.apply(new PostgresStatements(handle))));
  }

  @Override
  public <T> T asLeader(Epoch epoch, Function<Statements, T> work) {
    return Retry.on(
        GIVEN_UP,
        () ->
            jdbi.inTransaction(
                handle -> {
                  EpochLock.enter(handle, epoch);
                  return work.apply(new PostgresStatements(handle));
                }));
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return Retry.isAway(failure);
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    String state = Retry.stateOf(failure);
    return state != null
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
  }
}
