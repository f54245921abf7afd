package dev.belay.simulation;

import java.time.Duration;

/**
 * How much goes wrong, until it is calm.
 *
 * @param cutPerMessage a connection breaks with a message
 * @param hintLost a hint reaches nobody
 * @param failsBefore a store call fails and did nothing
 * @param failsAfter a store call did its work and fails all the same
 * @param interleaved other threads act in the middle of a store call
 * @param frozenPerCall the replica freezes in a store call, long enough to be replaced
 * @param crashPerCommand the agent dies between two commands of its session
 * @param journalLost a dead agent comes back without its journal
 * @param prepareFails no process can be made
 * @param agentLives mean time between crashes of an agent
 * @param serverLives mean time between crashes of the server
 * @param drainEvery mean time between graceful ends of an agent
 * @param lockLostEvery mean time between losses of the leader's lock
 */
public record Faults(
    double cutPerMessage,
    double hintLost,
    double failsBefore,
    double failsAfter,
    double interleaved,
    double frozenPerCall,
    double crashPerCommand,
    double journalLost,
    double prepareFails,
    Duration agentLives,
    Duration serverLives,
    Duration drainEvery,
    Duration lockLostEvery) {

  public static final Faults MANY =
      new Faults(
          0.03,
          0.3,
          0.02,
          0.02,
          0.4,
          0.002,
          0.006,
          0.1,
          0.02,
          Duration.ofSeconds(20),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          Duration.ofSeconds(15));
}
