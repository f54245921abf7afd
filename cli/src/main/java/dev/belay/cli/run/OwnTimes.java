package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandFailed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * How long each task itself took: from the start of its first process to the end of its last. So
 * earlier attempts and the waits before retries count as the task's own time, not as overhead.
 */
final class OwnTimes {

  /** In a larger run, a task with one attempt uses its own times. */
  private static final int ATTEMPTS_READ_MAX = 256;

  private static final int AT_A_TIME = 8;

  private OwnTimes() {}

  static Map<String, Duration> read(BelayClient client, List<JsonNode> tasks) throws CommandFailed {
    var times = new HashMap<String, Duration>();
    var asked = new ArrayList<JsonNode>();
    for (var task : tasks) {
      int attempts = task.path("attempts").asInt();
      if (attempts > 1 || (attempts == 1 && tasks.size() <= ATTEMPTS_READ_MAX)) {
        asked.add(task);
      } else {
        times.put(name(task), between(Json.time(task, "started_at"), Json.time(task, "ended_at")));
      }
    }
    var answers = new ArrayList<Future<Duration>>();
    try (var pool = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (var task : asked) {
        Callable<Duration> ask = () -> ofAttempts(client, Json.text(task, "id"));
        answers.add(pool.submit(ask));
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      times.put(name(asked.get(i)), result(answers.get(i)));
    }
    return times;
  }

  private static Duration ofAttempts(BelayClient client, String id) throws CommandFailed {
    return of(client.fetch(new Query("/tasks/" + id + "/attempts")).path("items"));
  }

  static Duration of(JsonNode attempts) {
    @Nullable Instant first = null;
    @Nullable Instant last = null;
    for (var attempt : attempts) {
      var started = Json.time(attempt, "started_at");
      var ended = Json.time(attempt, "ended_at");
      if (started == null || ended == null) {
        continue;
      }
      first = first == null || started.isBefore(first) ? started : first;
      last = last == null || ended.isAfter(last) ? ended : last;
    }
    return between(first, last);
  }

  private static Duration between(@Nullable Instant from, @Nullable Instant to) {
    if (from == null || to == null || to.isBefore(from)) {
      return Duration.ZERO;
    }
    return Duration.between(from, to);
  }

  private static String name(JsonNode task) {
    return Json.text(task, "name");
  }

  private static Duration result(Future<Duration> answer) throws CommandFailed {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandFailed failed) {
        throw failed;
      }
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }
}
