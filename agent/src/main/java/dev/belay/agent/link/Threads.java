package dev.belay.agent.link;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;

/**
 * The threads of one agent. All are daemons and keep no JVM alive.
 *
 * @param loop one thread
 * @param logs one thread
 * @param prepare a few threads; the worker's slots bound its queue
 * @param background threads as needed; the output pump occupies one
 * @param timers one thread, for short work only
 */
public record Threads(
    ExecutorService loop,
    ExecutorService logs,
    ExecutorService prepare,
    ExecutorService background,
    ScheduledExecutorService timers)
    implements AutoCloseable {

  public static Threads start(int prepareThreads) {
    var timers = new ScheduledThreadPoolExecutor(1, named("belay-agent-timers"));
    timers.setRemoveOnCancelPolicy(true);
    return new Threads(
        Executors.newSingleThreadExecutor(named("belay-agent-loop")),
        Executors.newSingleThreadExecutor(named("belay-agent-logs")),
        Executors.newFixedThreadPool(prepareThreads, named("belay-agent-prepare-")),
        Executors.newCachedThreadPool(named("belay-agent-background-")),
        timers);
  }

  private static ThreadFactory named(String name) {
    var builder = Thread.ofPlatform().daemon();
    return (name.endsWith("-") ? builder.name(name, 0) : builder.name(name)).factory();
  }

  /** Does not wait for the threads: their remaining work is harmless. */
  @Override
  public void close() {
    timers.shutdownNow();
    prepare.shutdown();
    loop.shutdown();
    logs.shutdown();
    background.shutdown();
  }
}
