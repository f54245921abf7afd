package dev.belay.engine.steer;

/** What became of the wish to cancel. */
public sealed interface Cancel {

  /** It was idle and is CANCELLED now. */
  record Done() implements Cancel {}

  /** A worker, or the planner, was asked to end it. */
  record Asked() implements Cancel {}

  /** It had reached this terminal state before. */
  record AlreadyOver(String state) implements Cancel {}

  record NotFound() implements Cancel {}
}
