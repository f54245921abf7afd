package dev.belay.agent.handler;

import dev.belay.protocol.agent.v1.Dispatch;

/** Work that runs in the agent's JVM. Many threads call it at once. */
@FunctionalInterface
public interface Handler {

  /**
   * Executes one dispatch. An interrupt asks it to end.
   *
   * @return the exit code; an exception counts as exit code 1
   */
  int run(Dispatch dispatch) throws Exception;
}
