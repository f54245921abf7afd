package dev.belay.simulation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a replica and its store. Before and after each call others may act, and the
 * replica may die; the call may fail before or after it did its work.
 */
final class StoreCalls {
  private static final Duration INTERLEAVED_MAX = Duration.ofMillis(20);
  private static final int DEPTH_MAX = 3;

  /** Calls that change no task and no run. */
  private static final Set<String> HARMLESS = Set.of("touch", "renew", "campaign", "resign");

  private final World world;
  private final SimulatedServer server;
  private final Runnable onWrite;

  StoreCalls(World world, SimulatedServer server, Runnable onWrite) {
    this.world = world;
    this.server = server;
    this.onWrite = onWrite;
  }

  /** The same port, with everything that can go wrong. */
  <T> T through(Class<T> port, T store) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) ->
                // a question about an exception asks no database
                method.getName().startsWith("is")
                    ? call(store, method, arguments)
                    : around(method.getName(), () -> call(store, method, arguments))));
  }

  private static @Nullable Object call(Object store, Method method, Object @Nullable [] arguments) {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException failed) {
      switch (failed.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(failed);
      }
    } catch (IllegalAccessException failed) {
      throw new IllegalStateException(failed);
    }
  }

  <T extends @Nullable Object> T around(String name, Supplier<T> call) {
    letOthersAct();
    if (world.goesWrong(world.faults().failsBefore())) {
      world.trace.say(server.name(), name + " fails before it began");
      throw new StoreFailed(name + " did nothing");
    }
    T answer = call.get();
    if (!name.startsWith("read") && !HARMLESS.contains(name)) {
      onWrite.run();
    }
    if (world.goesWrong(world.faults().failsAfter())) {
      world.trace.say(server.name(), name + " fails after it was done");
      throw new StoreFailed("nobody knows whether " + name + " was done");
    }
    letOthersAct();
    return answer;
  }

  private void letOthersAct() {
    if (world.scheduler.depth() < DEPTH_MAX) {
      if (world.goesWrong(world.faults().frozenPerCall())) {
        server.freeze();
      } else if (world.goesWrong(world.faults().interleaved())) {
        world.scheduler.interleave(world.chance.upTo(INTERLEAVED_MAX));
      }
    }
    if (!server.isAlive()) {
      throw new ServerDied();
    }
  }
}
