package dev.belay.simulation.intake;

import org.jdbi.v3.core.Jdbi;

/**
 * A way by which messages come in.
 *
 * @param <M> a message with its key
 */
interface Inlet<M> {

  /** What the database has of a message. */
  enum Effect {
    NONE,
    WHOLE,
    /** Part of it, or more than once. */
    BROKEN
  }

  /** A message that nobody has delivered yet. */
  M next();

  /**
   * Delivers it to a process, which may die.
   *
   * @return the answer, without what tells a first delivery from a later one
   */
  Object deliver(Jdbi process, M message);

  Effect effect(M message);
}
