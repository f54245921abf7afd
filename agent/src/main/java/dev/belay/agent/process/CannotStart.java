package dev.belay.agent.process;

import dev.belay.domain.settle.Outcome;

/** Why a dispatch cannot start, for its owner; becomes {@link Outcome.StartFailed}. */
final class CannotStart extends Exception {
  private static final long serialVersionUID = 1;

  CannotStart(String message) {
    super(message);
  }
}
