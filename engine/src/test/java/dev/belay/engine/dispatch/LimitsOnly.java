package dev.belay.engine.dispatch;

import dev.belay.engine.port.Epoch;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.LimitStatements;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Transactions of a leader that write nothing but limits. */
public final class LimitsOnly implements Transactions {

  /** Has no tokens, and no full key. */
  public static final LimitStatements NONE =
      new LimitStatements() {
        @Override
        public List<Granted> withdraw(List<Withdrawal> wanted) {
          return List.of();
        }

        @Override
        public CancelledNew cancelNew(List<FullKey> keys, int max, String reason, String actor) {
          return new CancelledNew(Set.of(), List.of());
        }

        @Override
        public List<AttemptKey> findOldestHolders(List<FullKey> keys, int max) {
          return List.of();
        }
      };

  private final Statements statements;

  public LimitsOnly(LimitStatements limits) {
    this.statements =
        (Statements)
            Proxy.newProxyInstance(
                Statements.class.getClassLoader(),
                new Class<?>[] {Statements.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("limits")) {
                    return limits;
                  }
                  throw new UnsupportedOperationException(method.getName());
                });
  }

  @Override
  public <T> T each(Function<Statements, T> work) {
    return work.apply(statements);
  }

  @Override
  public <T> T together(Function<Statements, T> work) {
    return work.apply(statements);
  }

  @Override
  public <T> T asLeader(Epoch epoch, Function<Statements, T> work) {
    return work.apply(statements);
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return false;
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    return false;
  }
}
