package dev.belay.domain.routing;

import java.util.Set;

/**
 * A pool as declared. A pool that only its workers name is ACTIVE, without capabilities, and
 * spreads.
 *
 * @param capabilities that each of its workers has
 */
public record Pool(String name, State state, Set<String> capabilities, Strategy strategy) {

  public Pool {
    capabilities = Set.copyOf(capabilities);
  }

  public static Pool undeclared(String name) {
    return new Pool(name, State.ACTIVE, Set.of(), Strategy.SPREAD);
  }

  public enum State {
    ACTIVE,
    /** Its tasks end, and no new one starts. */
    DRAINING,
    /** No task starts. */
    INACTIVE
  }

  /** Which of its workers goes first. */
  public enum Strategy {
    /** The least loaded one. */
    SPREAD,
    /** The most loaded one that has room, so that others stay empty. */
    PACK
  }
}
