package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.ApiRefused;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ReconnectLimit;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.Times;
import dev.belay.domain.task.TaskState;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Follows the log of a task through retries and broken connections. */
public final class TaskLog {

  private static final Set<String> TERMINAL =
      TaskState.TERMINAL.stream().map(Enum::name).collect(Collectors.toUnmodifiableSet());
  private static final Duration POLL = Duration.ofMillis(100);

  private final BelayClient client;
  private final String task;
  private final OutputStream out;
  private ReconnectLimit patience;
  private Consumer<JsonNode> seen = task -> {};

  /**
   * @param ticker monotonic nanoseconds
   */
  public TaskLog(BelayClient client, String task, OutputStream out, LongSupplier ticker) {
    this.client = client;
    this.task = task;
    this.out = out;
    this.patience = new ReconnectLimit(ticker);
  }

  /**
   * Explains to a person why no output comes.
   *
   * @param ticker monotonic nanoseconds
   */
  public TaskLog telling(LongSupplier ticker, Times times, Consumer<String> tell) {
    var notes = new WaitNotes(ticker, tell);
    patience = new ReconnectLimit(ticker, tell);
    seen =
        now -> {
          String waiting = WaitText.of(now.path("waiting"), times);
          notes.seen(waiting.isEmpty() ? Map.of() : Map.of(waiting, "It waits: " + waiting + "."));
        };
    return this;
  }

  public static boolean isTerminal(JsonNode task) {
    return TERMINAL.contains(Json.text(task, "state"));
  }

  /**
   * Copies the output of each attempt, from this one on, until the task is over; returns the task.
   *
   * @param heading called before each attempt
   */
  public JsonNode follow(int firstAttempt, IntConsumer heading) throws CommandFailed {
    int attempt = firstAttempt;
    while (true) {
      var now = read();
      if (now.path("attempts").asInt() >= attempt) {
        heading.accept(attempt);
        followAttempt(attempt);
        attempt++;
      } else if (isTerminal(now)) {
        return now;
      } else {
        pause();
      }
    }
  }

  private void followAttempt(int attempt) throws CommandFailed {
    var counting = new Counting(out);
    while (true) {
      long before = counting.count;
      try {
        client.copy(
            new Query("/tasks/" + task + "/logs")
                .with("attempt", attempt)
                .with("offset", counting.count)
                .with("follow", true),
            counting);
        return;
      } catch (Unreachable e) {
        if (counting.count > before) {
          patience.reached();
        }
        patience.bear(e);
      } catch (ApiRefused e) {
        if (e.isNotFound()) {
          // An attempt that never started has no log.
          return;
        }
        throw e;
      }
    }
  }

  private JsonNode read() throws CommandFailed {
    while (true) {
      try {
        var now = client.fetch(new Query("/tasks/" + task));
        patience.reached();
        seen.accept(now);
        return now;
      } catch (Unreachable e) {
        patience.bear(e);
      }
    }
  }

  private static void pause() throws CommandFailed {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }

  /** Counts the bytes, to resume after a broken connection. */
  private static final class Counting extends java.io.FilterOutputStream {
    private long count;

    Counting(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws java.io.IOException {
      out.write(bytes, offset, length);
      count += length;
    }
  }
}
