package dev.belay.engine.steer;

import dev.belay.domain.run.RunState;

/** The answer to a request to cancel a run. */
public sealed interface Cancel {

  /** Workers and the planner were asked to end its tasks. */
  record Asked() implements Cancel {}

  /** It had already reached this terminal state. */
  record AlreadyOver(RunState state) implements Cancel {}

  record NotFound() implements Cancel {}
}
