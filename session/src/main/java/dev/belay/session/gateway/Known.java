package dev.belay.session.gateway;

import dev.belay.protocol.agent.v1.Held;
import org.jspecify.annotations.Nullable;

/** The state of one dispatch, as one connection knows it. */
sealed interface Known {

  /** The agent holds it, and no end is known. */
  sealed interface Open extends Known {}

  /** The agent has, or will have, a process for it. */
  sealed interface Active extends Open {
    boolean abortSent();

    Active withAbortSent();
  }

  /**
   * Sent to the agent, or recorded by it in an earlier session; not started.
   *
   * @param acked the agent acknowledged it on this connection
   */
  record Preparing(boolean acked, boolean abortSent) implements Active {
    @Override
    public Preparing withAbortSent() {
      return new Preparing(acked, true);
    }
  }

  /**
   * @param startedAtMs 0 until the agent reports the start on this connection
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

  /** The agent reported its end or refused it; the database has not answered yet. */
  record Ended(Start start, boolean adopted) implements Known {}

  /**
   * This connection declared it lost; the database has not answered yet.
   *
   * @param was its state again if the database disagrees; null when the agent does not hold it
   */
  record Lost(@Nullable Open was) implements Known {}

  /**
   * The database has answered; dropped with the first mailbox that lacks it.
   *
   * @param active it was declared lost, and the agent may still have a process for it
   */
  record Settled(boolean active) implements Known {}

  /** How far the start has come on its way to the database. */
  enum Start {
    /** The agent has not reported the start on this connection. */
    UNTOLD,
    /** The agent has reported it; the database rejected it because of the session. */
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

  /** The agent reported a start or end, but the database still has it as not started. */
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

  /** The agent acknowledges it. */
  default Known withAck() {
    return this instanceof Preparing preparing ? new Preparing(true, preparing.abortSent()) : this;
  }

  /** The agent reports the start, which is handed over; an ended dispatch stays ended. */
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

  /** The agent reports the end. */
  default Known ended() {
    return this instanceof Settled ? new Settled(false) : new Ended(start(), isAdopted());
  }

  /** Its end, refusal or loss is written, or permanently void. */
  default Known settled() {
    return new Settled(isActive());
  }
}
