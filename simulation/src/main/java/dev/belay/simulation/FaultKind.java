package dev.belay.simulation;

import java.util.Set;

/** Kinds of faults. Each can be switched off, to shrink a failing seed. */
public enum FaultKind {
  /** A connection breaks; each end notices separately. */
  STREAM_CUT,
  /** One direction passes nothing for a while, without a notice. */
  ONE_WAY_CUT,
  /** No direction passes anything for a while; to the server it may look like a close. */
  NETWORK_CUT,
  /** A message takes much longer than usual. */
  MESSAGE_DELAYED,
  /** A message of a worker arrives twice. */
  MESSAGE_DUPLICATED,
  /** Messages of an old connection arrive after those of the new one. */
  MESSAGE_REORDERED,
  HINT_LOST,
  HINT_DUPLICATED,
  /** The answer to a client is lost, and the client asks again. */
  ANSWER_LOST,
  STORE_FAILS_BEFORE,
  /** The store committed, but the caller gets an error. */
  STORE_FAILS_AFTER,
  /** A claim gets an error, and the store commits it later. */
  STORE_COMMITS_LATE,
  STORE_SLOW,
  /** The store does not answer for a while. */
  STORE_AWAY,
  SERVER_CRASH,
  /** The server freezes in the middle of an action, and continues later. */
  SERVER_FROZEN,
  /** The leader's session ends, and another replica leads before it notices. */
  LEADERSHIP_LOST,
  AGENT_CRASH,
  AGENT_FROZEN,
  /** The agent is killed together with the supervisors that would have ended its tasks. */
  SUPERVISOR_CRASH,
  MACHINE_REBOOT,
  /** An agent returns without its journal. */
  DISK_LOST,
  AGENT_DRAIN,
  PREPARE_FAILS,
  /** A preparation takes so long that the server gives the dispatch up. */
  PREPARE_HANGS,
  CLOCK_STEP,
  AGENT_CLOCK_STEP;

  private static final Set<FaultKind> NOISE =
      Set.of(
          MESSAGE_DELAYED, MESSAGE_DUPLICATED, HINT_LOST, HINT_DUPLICATED, ANSWER_LOST, STORE_SLOW);

  /** It costs time but loses nothing. */
  boolean isNoise() {
    return NOISE.contains(this);
  }
}
