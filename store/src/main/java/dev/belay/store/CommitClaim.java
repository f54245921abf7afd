package dev.belay.store;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides once whether a request commits or is refused. The code that answers a request after its
 * deadline calls {@link #answer}; the transaction calls {@link #claim} right before it sends
 * COMMIT. The first call wins. A refused request therefore stores nothing later, however late its
 * thread, its connection or the database resumes. Any thread may call.
 *
 * <p>A COMMIT that is in flight at the deadline can end either way. The answer to its request is
 * "unknown", never "refused".
 */
public final class CommitClaim {

  private static final ScopedValue<CommitClaim> CURRENT = ScopedValue.newInstance();

  private enum State {
    OPEN,
    COMMITTING,
    COMMITTED,
    ANSWERED
  }

  /** The answer to a caller whose request did not succeed. */
  public enum Answer {
    /** Belay stored nothing of the request and never will. */
    REFUSED,
    /** Belay may have stored the request. */
    UNKNOWN
  }

  /** The request was answered before its transaction was ready to commit, so it rolls back. */
  public static final class TooLate extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLate() {
      super("the request was answered before its commit", null, false, false);
    }
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

  /** Runs work whose transactions commit only under this claim. */
  public <T> T during(Supplier<T> work) {
    return ScopedValue.where(CURRENT, this).call(work::get);
  }

  /** The claim of this thread's current request; null outside a request. */
  static @Nullable CommitClaim current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Decides the answer. Nothing of the request commits after this call. */
  public Answer answer() {
    var before = state.getAndSet(State.ANSWERED);
    return before == State.OPEN ? Answer.REFUSED : Answer.UNKNOWN;
  }

  /** Whether COMMIT was sent but not confirmed. */
  public boolean isUnknown() {
    return state.get() == State.COMMITTING;
  }

  /** Call before work that only helps a caller who still waits. */
  void checkOpen() {
    if (state.get() == State.ANSWERED) {
      throw new TooLate();
    }
  }

  /** Call right before COMMIT. */
  void claim() {
    if (!state.compareAndSet(State.OPEN, State.COMMITTING)
        && !state.compareAndSet(State.COMMITTED, State.COMMITTING)) {
      throw new TooLate();
    }
  }

  void committed() {
    state.compareAndSet(State.COMMITTING, State.COMMITTED);
  }

  /** The database confirmed a rollback, so another try may claim again. */
  void rolledBack() {
    state.compareAndSet(State.COMMITTING, State.OPEN);
  }
}
