package dev.belay.store;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides once whether a request commits or is refused. Whoever answers a request whose time is
 * over calls {@link #answer}; the transaction calls {@link #claim} right before it sends COMMIT.
 * The first one wins, so a request that was refused stores nothing afterwards, however late its
 * thread, its connection or the database wakes up. Any thread may call.
 *
 * <p>A COMMIT that is on its way when the time is over can end either way; such a request is
 * answered as unknown, never as refused.
 */
public final class CommitClaim {

  private static final ScopedValue<CommitClaim> CURRENT = ScopedValue.newInstance();

  private enum State {
    OPEN,
    COMMITTING,
    COMMITTED,
    ANSWERED
  }

  /** What may be told to a caller whose request did not end well. */
  public enum Answer {
    /** Nothing of it is stored, nor ever will be. */
    REFUSED,
    /** It may be stored. */
    UNKNOWN
  }

  /** The request was answered before its transaction was ready to commit; it is rolled back. */
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

  /** The claim of the request that this thread works for; null when it works for none. */
  static @Nullable CommitClaim current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Tells what to answer; from now on nothing of the request commits. */
  public Answer answer() {
    var before = state.getAndSet(State.ANSWERED);
    return before == State.OPEN ? Answer.REFUSED : Answer.UNKNOWN;
  }

  /** Whether a COMMIT was sent and not confirmed. */
  public boolean isUnknown() {
    return state.get() == State.COMMITTING;
  }

  /** Before work that only makes sense while somebody waits. */
  void checkOpen() {
    if (state.get() == State.ANSWERED) {
      throw new TooLate();
    }
  }

  /** Right before COMMIT is sent. */
  void claim() {
    if (!state.compareAndSet(State.OPEN, State.COMMITTING)
        && !state.compareAndSet(State.COMMITTED, State.COMMITTING)) {
      throw new TooLate();
    }
  }

  void committed() {
    state.compareAndSet(State.COMMITTING, State.COMMITTED);
  }

  /** The database said that it rolled back: another try may claim again. */
  void rolledBack() {
    state.compareAndSet(State.COMMITTING, State.OPEN);
  }
}
