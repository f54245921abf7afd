package dev.belay.agent.link;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;

/**
 * The threads of one agent; all are daemons, so none keeps a JVM alive.
 *
 * @param loop one thread
 * @param logs one thread
 * @param prepare a few threads; its queue is bounded by the slots of the worker
 * @param background threads as needed, of which the output pump holds one
 * @param timers one thread; only short work
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

  /** Lets go of the threads without waiting: what they still do harms nobody. */
  @Override
  public void close() {
    timers.shutdownNow();
    prepare.shutdown();
    loop.shutdown();
    logs.shutdown();
    background.shutdown();
  }
}
