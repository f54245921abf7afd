package dev.belay.session.gateway;

import dev.belay.protocol.agent.v1.Held;
import org.jspecify.annotations.Nullable;

/** Where one dispatch is, as one connection knows it. */
sealed interface Known {

  /** The agent holds it, and nobody has said how it ends. */
  sealed interface Open extends Known {}

  /** The agent has, or will have, a process for it. */
  sealed interface Active extends Open {
    boolean abortSent();

    Active withAbortSent();
  }

  /**
   * Sent to the agent, or recorded by it in an earlier session; it has not started.
   *
   * @param acked the agent said on this connection that it has it
   */
  record Preparing(boolean acked, boolean abortSent) implements Active {
    @Override
    public Preparing withAbortSent() {
      return new Preparing(acked, true);
    }
  }

  /**
   * @param startedAtMs 0 until the agent says on this connection when it started
   * @param adopted an earlier session of the agent started it, and it lives on in this one
   */
  record Running(Start start, long startedAtMs, boolean adopted, boolean abortSent)
      implements Active {
    @Override
    public Running withAbortSent() {
      return new Running(start, startedAtMs, adopted, true);
    }

    private Running with(Start other) {
      return new Running(other, startedAtMs, adopted, abortSent);
    }
  }

  /** It was running when an earlier process of the agent died. */
  record Died() implements Open {}

  /** The agent says that it is over, or refused it; the database has not answered yet. */
  record Ended(Start start, boolean adopted) implements Known {}

  /**
   * This connection declared it lost; the database has not answered yet.
   *
   * @param was what it is again if the database does not agree; null when the agent does not hold
   *     it
   */
  record Lost(@Nullable Open was) implements Known {}

  /**
   * The database has answered: it leaves with the first mailbox that lacks it.
   *
   * @param active it was declared lost, and the agent may still have a process for it
   */
  record Settled(boolean active) implements Known {}

  /** How far the start has come on its way to the database. */
  enum Start {
    /** The agent has not said on this connection when it started. */
    UNTOLD,
    /** The agent has said it; the database did not take it, because of the session. */
    TOLD,
    /** It was handed over to be written. */
    SENT,
    WRITTEN;

    boolean isSent() {
      return compareTo(SENT) >= 0;
    }
  }

  static Known of(Held held) {
    return switch (held.getPhase()) {
      case PREPARING -> new Preparing(false, false);
      case RUNNING -> new Running(Start.UNTOLD, 0, held.getAdopted(), false);
      case DIED -> new Died();
      case ENDED -> new Ended(Start.UNTOLD, false);
      case PHASE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("phase was not checked: " + held.getPhase());
    };
  }

  default boolean isActive() {
    return switch (this) {
      case Active _ -> true;
      case Lost(var was) -> was instanceof Active;
      case Settled(var active) -> active;
      case Died _, Ended _ -> false;
    };
  }

  /** The agent waits for an answer about its death. */
  default boolean isDead() {
    return this instanceof Died || (this instanceof Lost(var was) && was instanceof Died);
  }

  default boolean isAdopted() {
    return switch (this) {
      case Running running -> running.adopted();
      case Ended ended -> ended.adopted();
      case Lost(var was) -> was != null && was.isAdopted();
      case Preparing _, Died _, Settled _ -> false;
    };
  }

  default Start start() {
    return switch (this) {
      case Running running -> running.start();
      case Ended ended -> ended.start();
      case Lost(var was) -> was == null ? Start.UNTOLD : was.start();
      case Preparing _, Died _, Settled _ -> Start.UNTOLD;
    };
  }

  /** The agent said that it started or ended, and for the database it still looks unbegun. */
  default boolean isUnwritten() {
    return this instanceof Ended(var start, var _) ? start != Start.WRITTEN : start() == Start.SENT;
  }

  default Known withStart(Start start) {
    return switch (this) {
      case Running running -> running.with(start);
      case Ended(var _, var adopted) -> new Ended(start, adopted);
      case Lost(Running running) -> new Lost(running.with(start));
      case Preparing _, Died _, Lost _, Settled _ -> this;
    };
  }

  /** The agent says that it has it. */
  default Known withAck() {
    return this instanceof Preparing preparing ? new Preparing(true, preparing.abortSent()) : this;
  }

  /** The agent says when it started, and that is handed over; what is over stays so. */
  default Known started(long atMs) {
    return switch (this) {
      case Open open -> begun(open, atMs);
      case Lost(var was) -> new Lost(begun(was, atMs));
      case Ended _ -> withStart(Start.SENT);
      case Settled _ -> new Settled(true);
    };
  }

  private static Running begun(@Nullable Open was, long atMs) {
    return new Running(
        Start.SENT,
        atMs,
        was instanceof Running running && running.adopted(),
        was instanceof Active active && active.abortSent());
  }

  /** The agent says how it ended. */
  default Known ended() {
    return this instanceof Settled ? new Settled(false) : new Ended(start(), isAdopted());
  }

  /** Its end, refusal or loss is written, or void for good. */
  default Known settled() {
    return new Settled(isActive());
  }
}
