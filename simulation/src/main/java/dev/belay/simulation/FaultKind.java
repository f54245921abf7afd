package dev.belay.simulation;

import java.util.Set;

/** What can go wrong. Each can be switched off, so that a failing seed can be made smaller. */
public enum FaultKind {
  /** A connection breaks; each end notices on its own. */
  STREAM_CUT,
  /** Nothing passes in one direction for a while, and nobody is told. */
  ONE_WAY_CUT,
  /** Nothing passes in any direction for a while; to the server it may look like a hangup. */
  NETWORK_CUT,
  /** A message takes much longer than usual. */
  MESSAGE_DELAYED,
  /** A message of a worker arrives twice. */
  MESSAGE_DUPLICATED,
  /** What was sent on an old connection arrives after what was sent on the new one. */
  MESSAGE_REORDERED,
  HINT_LOST,
  HINT_DUPLICATED,
  /** The answer to a client is lost, who asks again. */
  ANSWER_LOST,
  STORE_FAILS_BEFORE,
  /** The store did it, and nobody knows. */
  STORE_FAILS_AFTER,
  STORE_SLOW,
  /** The store answers nobody for a while. */
  STORE_AWAY,
  SERVER_CRASH,
  /** It stands still in the middle of something, and goes on later. */
  SERVER_FROZEN,
  /** The leader's session is gone, and another leads before it knows. */
  LEADERSHIP_LOST,
  AGENT_CRASH,
  AGENT_FROZEN,
  /** The agent is killed with the supervisors that would have ended its tasks. */
  SUPERVISOR_CRASH,
  /** The machine of an agent starts anew. */
  MACHINE_REBOOT,
  /** An agent comes back without its journal. */
  DISK_LOST,
  AGENT_DRAIN,
  PREPARE_FAILS,
  /** What is prepared is not ready for so long that the server gives it up. */
  PREPARE_HANGS,
  /** The database's clock steps. */
  CLOCK_STEP,
  /** An agent's clock steps. */
  AGENT_CLOCK_STEP;

  private static final Set<FaultKind> NOISE =
      Set.of(
          MESSAGE_DELAYED, MESSAGE_DUPLICATED, HINT_LOST, HINT_DUPLICATED, ANSWER_LOST, STORE_SLOW);

  /** It costs time, and nothing is lost by it. */
  boolean isNoise() {
    return NOISE.contains(this);
  }
}
