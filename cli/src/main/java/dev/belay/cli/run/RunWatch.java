package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Patience;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Follows a run until it is over. One request waits at the server for the end; meanwhile only tasks
 * that changed are read, and never so often that reading would be a load.
 */
final class RunWatch {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration POLL_MIN = Duration.ofMillis(100);

  /** Of the time, at most a fifth is spent on reading. */
  private static final int REST_FACTOR = 4;

  /** Changes are committed a little after their time; so look back this far. */
  private static final Duration OVERLAP = Duration.ofMillis(1500);

  private final BelayClient client;
  private final RunView view;
  private final Progress progress;
  private final LongSupplier ticker;

  RunWatch(BelayClient client, RunView view, Progress progress, LongSupplier ticker) {
    this.client = client;
    this.view = view;
    this.progress = progress;
    this.ticker = ticker;
  }

  /** Gives back true when the run is over, false when the stop came first. */
  boolean untilEndOr(CompletableFuture<?> stop) throws CommandFailed {
    var end = new CompletableFuture<JsonNode>();
    var waiter = Thread.ofVirtual().name("run-end").start(() -> awaitEnd(end));
    try {
      var either = CompletableFuture.anyOf(end, stop);
      while (!either.isDone()) {
        long start = ticker.getAsLong();
        readChanges();
        long took = ticker.getAsLong() - start;
        pause(either, Math.max(POLL_MIN.toNanos(), took * REST_FACTOR));
      }
      if (!end.isDone()) {
        return false;
      }
      view.update(result(end));
      readAll();
      return true;
    } finally {
      waiter.interrupt();
    }
  }

  private void awaitEnd(CompletableFuture<JsonNode> end) {
    var patience = new Patience(ticker);
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

  private JsonNode awaitOnce(Patience patience) throws CommandFailed {
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

  private void readChanges() throws CommandFailed {
    var newest = view.newest();
    var query =
        new Query("/tasks")
            .with("run", view.id())
            .with("changed_after", newest == null ? null : newest.minus(OVERLAP));
    try {
      progress.changed(view.take(client.list(query, WorkflowSpec.TASKS_MAX).path("items")));
    } catch (Unreachable e) {
      // The one who waits for the end decides how long a silent server is borne.
      progress.changed(java.util.List.of());
    }
  }

  /** Everything once more, because a change that was committed late may have been missed. */
  private void readAll() throws CommandFailed {
    var query = new Query("/tasks").with("run", view.id());
    var patience = new Patience(ticker);
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
        progress.tick();
      } catch (ExecutionException e) {
        return;
      } catch (InterruptedException e) {
        throw CommandFailed.interrupted();
      }
    }
  }

  private static JsonNode result(CompletableFuture<JsonNode> end) throws CommandFailed {
    try {
      return end.join();
    } catch (java.util.concurrent.CompletionException e) {
      if (e.getCause() instanceof CommandFailed failed) {
        throw failed;
      }
      throw e;
    }
  }
}
