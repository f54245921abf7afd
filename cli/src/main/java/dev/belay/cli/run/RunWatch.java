package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ReconnectLimit;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows a run until it is over. One request waits at the server for the end; meanwhile others
 * read only changed tasks, at a rate that never loads the server.
 */
final class RunWatch {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration POLL_MIN = Duration.ofMillis(100);

  /** The run itself explains why it or one of its tasks waits. */
  private static final Duration RUN_EVERY = Duration.ofSeconds(1);

  /** Reading takes at most a fifth of the time. */
  private static final int REST_FACTOR = 4;

  private static final Duration REST_MAX = Duration.ofSeconds(5);

  /** Changes become visible a little after their time, so look back this far. */
  private static final Duration OVERLAP = Duration.ofMillis(1500);

  private final BelayClient client;
  private final RunView view;
  private final Progress progress;
  private final LongSupplier ticker;
  private final InstantSource clock;
  private long runReadAt;
  private long answeredAt;
  private Instant knownAt;
  private String silentBecause = "";

  /**
   * @param ticker monotonic nanoseconds
   */
  RunWatch(
      BelayClient client,
      RunView view,
      Progress progress,
      LongSupplier ticker,
      InstantSource clock) {
    this.client = client;
    this.view = view;
    this.progress = progress;
    this.ticker = ticker;
    this.clock = clock;
    this.runReadAt = ticker.getAsLong();
    this.knownAt = clock.instant();
  }

  /** Returns true when the run is over, false when the stop came first. */
  boolean untilEndOr(CompletableFuture<?> stop) throws CommandFailed {
    var end = new CompletableFuture<JsonNode>();
    var waiter = Thread.ofVirtual().name("run-end").start(() -> awaitEnd(end));
    try {
      var either = CompletableFuture.anyOf(end, stop);
      answered();
      while (!either.isDone()) {
        long start = ticker.getAsLong();
        var reading = reading();
        while (!reading.isDone() && !either.isDone()) {
          pause(CompletableFuture.anyOf(reading, either), POLL_MIN.toNanos());
        }
        if (reading.isDone()) {
          take(reading);
        }
        long rest = Math.min(REST_MAX.toNanos(), (ticker.getAsLong() - start) * REST_FACTOR);
        pause(either, Math.max(POLL_MIN.toNanos(), rest));
      }
      if (!end.isDone()) {
        return false;
      }
      var last = result(end);
      view.silence(null);
      view.update(last);
      readAll();
      return true;
    } finally {
      waiter.interrupt();
    }
  }

  /**
   * Read on another thread: a silent server must not keep the picture from showing its silence.
   *
   * @param run null when only tasks were requested
   */
  private record Read(JsonNode tasks, @Nullable JsonNode run) {}

  private CompletableFuture<Read> reading() {
    var newest = view.newest();
    boolean withRun = ticker.getAsLong() - runReadAt >= RUN_EVERY.toNanos();
    var reading = new CompletableFuture<Read>();
    Thread.ofVirtual()
        .name("run-reader")
        .start(
            () -> {
              try {
                reading.complete(read(newest, withRun));
              } catch (CommandFailed | RuntimeException e) {
                reading.completeExceptionally(e);
              }
            });
    return reading;
  }

  private Read read(@Nullable Instant newest, boolean withRun) throws CommandFailed {
    var query =
        new Query("/tasks")
            .with("run", view.id())
            .with("changed_after", newest == null ? null : newest.minus(OVERLAP));
    var tasks = client.list(query, WorkflowSpec.TASKS_MAX).path("items");
    return new Read(tasks, withRun ? client.fetch(new Query("/runs/" + view.id())) : null);
  }

  private void take(CompletableFuture<Read> reading) throws CommandFailed {
    try {
      var read = result(reading);
      answered();
      var run = read.run();
      if (run != null) {
        runReadAt = ticker.getAsLong();
        if (!isOver(run)) {
          // The end comes later, together with all tasks.
          view.update(run);
        }
      }
      progress.changed(view.take(read.tasks()));
    } catch (Unreachable e) {
      // The thread that waits for the end decides how long to retry.
      silentBecause = e.why();
      progress.changed(List.of());
    }
  }

  private void answered() {
    answeredAt = ticker.getAsLong();
    knownAt = clock.instant();
    silentBecause = "no answer from " + client.connection().url();
    view.silence(null);
  }

  /** Even a slow answer counts; after a moment a person should see that nothing is known. */
  private void tick() {
    long silent = ticker.getAsLong() - answeredAt;
    if (silent >= ReconnectLimit.TOLD_AFTER.toNanos()) {
      view.silence(new ServerSilence(silentBecause, Duration.ofNanos(silent), knownAt));
    }
    progress.tick();
  }

  private void awaitEnd(CompletableFuture<JsonNode> end) {
    var patience = new ReconnectLimit(ticker);
    while (!Thread.currentThread().isInterrupted()) {
      try {
        var run = awaitOnce(patience);
        if (isOver(run)) {
          end.complete(run);
          return;
        }
      } catch (CommandFailed | RuntimeException e) {
        end.completeExceptionally(e);
        return;
      }
    }
  }

  private JsonNode awaitOnce(ReconnectLimit patience) throws CommandFailed {
    while (true) {
      try {
        var run = client.await("/runs/" + view.id(), WAIT);
        patience.reached();
        return run;
      } catch (Unreachable e) {
        patience.bear(e);
      }
    }
  }

  static boolean isOver(JsonNode run) {
    String state = Json.text(run, "state");
    for (var known : RunState.values()) {
      if (known.name().equals(state)) {
        return known.isTerminal();
      }
    }
    return false;
  }

  /** Reads everything once more, because a late commit may have been missed. */
  private void readAll() throws CommandFailed {
    var query = new Query("/tasks").with("run", view.id());
    var patience = new ReconnectLimit(ticker);
    while (true) {
      try {
        progress.changed(view.take(client.list(query, WorkflowSpec.TASKS_MAX).path("items")));
        return;
      } catch (Unreachable e) {
        patience.bear(e);
      }
    }
  }

  private void pause(CompletableFuture<?> either, long nanos) throws CommandFailed {
    long end = ticker.getAsLong() + nanos;
    for (long left = nanos; left > 0; left = end - ticker.getAsLong()) {
      try {
        either.get(Math.min(left, POLL_MIN.toNanos()), TimeUnit.NANOSECONDS);
        return;
      } catch (TimeoutException e) {
        tick();
      } catch (ExecutionException e) {
        return;
      } catch (InterruptedException e) {
        throw CommandFailed.interrupted();
      }
    }
  }

  private static <T> T result(CompletableFuture<T> end) throws CommandFailed {
    try {
      return end.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CommandFailed failed) {
        throw failed;
      }
      throw e;
    }
  }
}
