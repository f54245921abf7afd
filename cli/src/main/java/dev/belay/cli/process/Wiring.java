package dev.belay.cli.process;

import dev.belay.agent.AgentSettings;
import java.lang.reflect.InvocationTargetException;

/** Starts the agent by name until it is merged; then this class goes. */
final class Wiring {

  private Wiring() {}

  static AutoCloseable agent(AgentSettings settings) throws Exception {
    try {
      return (AutoCloseable)
          Class.forName("dev.belay.agent.Agent")
              .getMethod("start", AgentSettings.class)
              .invoke(null, settings);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
