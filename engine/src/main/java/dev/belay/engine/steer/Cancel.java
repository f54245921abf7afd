package dev.belay.engine.steer;

/** The answer to a request to cancel. */
public sealed interface Cancel {

  /** It was idle and is CANCELLED now. */
  record Done() implements Cancel {}

  /** A worker or the planner was asked to end it. */
  record Asked() implements Cancel {}

  /** It had already reached this terminal state. */
  record AlreadyOver(String state) implements Cancel {}

  record NotFound() implements Cancel {}
}
