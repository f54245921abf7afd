package dev.belay.agent.handler;

import dev.belay.protocol.agent.v1.Dispatch;

/** Work that runs inside the agent's own JVM. Called by many threads at once. */
@FunctionalInterface
public interface Handler {

  /**
   * Does the work of one dispatch. An interrupt asks it to end.
   *
   * @return the exit code; an exception counts as exit code 1
   */
  int run(Dispatch dispatch) throws Exception;
}
