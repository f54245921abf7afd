package dev.belay.simulation;

import dev.belay.simulation.guard.RaceGuard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the store of a replica. Before, after and in the middle of each call other events may run,
 * and the replica may die or freeze; the call may fail before or after it took effect.
 */
final class StoreCalls {
  private static final double FAILS = 0.006;
  private static final double FREEZES = 0.0008;
  private static final double CRASHES = 0.0005;
  private static final double COMMITS_LATE = 0.01;
  private static final Duration LATE_MAX = Duration.ofSeconds(5);
  private static final double SLOW = 0.004;
  private static final double INTERLEAVED = 0.15;
  private static final Duration SLOW_MIN = Duration.ofMillis(200);
  private static final Duration SLOW_MAX = Duration.ofSeconds(8);
  private static final Duration INTERLEAVED_MAX = Duration.ofMillis(20);
  private static final int DEPTH_MAX = 3;

  /** Calls that change no task and no run. */
  private static final Set<String> HARMLESS =
      Set.of("touch", "renew", "resign", "beat", "survey", "drain");

  private final World world;
  private final Store store;
  private final StoreTrouble trouble;
  private final SimulatedServer server;
  private final Runnable onWrite;

  /** Claims without an answer, which the store still executes. */
  private final Set<Supplier<?>> late = new LinkedHashSet<>();

  StoreCalls(
      World world, Store store, StoreTrouble trouble, SimulatedServer server, Runnable onWrite) {
    this.world = world;
    this.store = store;
    this.trouble = trouble;
    this.server = server;
    this.onWrite = onWrite;
  }

  /** The same port with faults. */
  <T> T through(Class<T> port, T real) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) ->
                // classifies an exception without the database
                method.getName().startsWith("is")
                    ? asked(real, method, arguments)
                    : around(method.getName(), () -> call(real, method, arguments))));
  }

  private static @Nullable Object asked(Object real, Method method, Object[] arguments) {
    return arguments[0] instanceof StoreFailed failed
        ? (Object) (failed.isAway() && method.getName().equals("isAway"))
        : call(real, method, arguments);
  }

  private static @Nullable Object call(Object real, Method method, Object @Nullable [] arguments) {
    try {
      return method.invoke(real, arguments);
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
    refuse(name);
    if (name.equals("claim") && world.goesWrong(FaultKind.STORE_COMMITS_LATE, COMMITS_LATE)) {
      late.add(call);
      world.after(world.lasting(world.chance.upTo(LATE_MAX)), () -> finish(call));
      world.trace.say(server.name(), "gets no answer yet:", name);
      throw new StoreFailed("nobody knows whether it will be done: " + name, false);
    }
    if (name.equals("settle") && world.scenario.guards().has(RaceGuard.SETTLED_CLAIMS)) {
      List.copyOf(late).forEach(this::finish);
    }
    T answer = inStore(name, call);
    if (world.goesWrong(FaultKind.STORE_FAILS_AFTER, FAILS)) {
      world.trace.say(server.name(), "fails after it was done:", name);
      throw new StoreFailed("nobody knows whether it was done: " + name, false);
    }
    letOthersAct();
    return answer;
  }

  /** Its server may be dead by then, or lead no longer. */
  private void finish(Supplier<?> call) {
    if (!late.remove(call)) {
      return;
    }
    var before = store.others(() -> {});
    try {
      world.trace.say("store", "does what nobody waits for:", call.get() != null);
    } catch (RuntimeException failed) {
      world.trace.say("store", "refuses what nobody waits for");
    } finally {
      store.others(before);
    }
    onWrite.run();
  }

  private void refuse(String name) {
    if (trouble.isAway()) {
      throw new StoreFailed("the store is away: " + name, true);
    }
    if (trouble.isStuck(name) || world.goesWrong(FaultKind.STORE_FAILS_BEFORE, FAILS)) {
      world.trace.say(server.name(), "fails before it began:", name);
      throw new StoreFailed("did nothing: " + name, false);
    }
  }

  private <T extends @Nullable Object> T inStore(String name, Supplier<T> call) {
    var before = store.others(this::actInTheMiddle);
    try {
      return call.get();
    } finally {
      store.others(before);
      if (!name.startsWith("read") && !HARMLESS.contains(name)) {
        onWrite.run();
      }
    }
  }

  private void actInTheMiddle() {
    var mine = store.others(() -> {});
    try {
      letOthersAct();
    } finally {
      store.others(mine);
    }
  }

  private void letOthersAct() {
    if (world.scheduler.depth() < DEPTH_MAX && !world.isCalm()) {
      if (world.goesWrong(FaultKind.SERVER_CRASH, CRASHES)) {
        server.crash();
      } else if (world.goesWrong(FaultKind.SERVER_FROZEN, FREEZES)) {
        server.freeze();
      } else if (world.goesWrong(FaultKind.STORE_SLOW, SLOW)) {
        world.scheduler.interleave(world.chance.between(SLOW_MIN, SLOW_MAX));
      } else if (world.chance.happens(INTERLEAVED)) {
        world.scheduler.interleave(world.chance.upTo(INTERLEAVED_MAX));
      }
    }
    if (!server.isAlive()) {
      throw new ServerDied();
    }
  }
}
