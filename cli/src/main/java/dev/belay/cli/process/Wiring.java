package dev.belay.cli.process;

import dev.belay.agent.AgentSettings;
import dev.belay.server.ServerSettings;
import java.lang.reflect.InvocationTargetException;

/** Starts the server and the agent. By name until both are merged; then plain calls. */
final class Wiring {

  private Wiring() {}

  /** A server that listens. */
  record Started(int port, AutoCloseable stop) {}

  static Started server(ServerSettings settings) throws Exception {
    Object server = start("dev.belay.server.BelayServer", ServerSettings.class, settings);
    int port = (int) server.getClass().getMethod("port").invoke(server);
    return new Started(port, (AutoCloseable) server);
  }

  static AutoCloseable agent(AgentSettings settings) throws Exception {
    return (AutoCloseable) start("dev.belay.agent.Agent", AgentSettings.class, settings);
  }

  private static Object start(String name, Class<?> type, Object settings) throws Exception {
    try {
      return Class.forName(name).getMethod("start", type).invoke(null, settings);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
