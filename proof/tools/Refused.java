import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Submits tasks from eight clients, each task with its own name, and keeps the answer to each. When
 * the file STOP exists, it waits and then checks which of the tasks exist. {@code Refused PORT
 * TOKEN STOP}.
 */
final class Refused {
  private static final int CLIENTS = 8;
  private static final Pattern NAME = Pattern.compile("\"name\" *: *\"(n[0-9]+)\"");
  private static final Pattern NEXT = Pattern.compile("\"next\" *: *\"([^\"]+)\"");

  public static void main(String[] args) throws Exception {
    var stop = Path.of(args[2]);
    var answers = new ConcurrentHashMap<String, String>();
    var number = new AtomicInteger();
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        threads.submit(
            () -> {
              while (!Files.exists(stop)) {
                var name = "n" + number.incrementAndGet();
                var body = "{\"name\": \"" + name + "\", \"command\": [\"/bin/true\"]}";
                var submit =
                    request(args, "/api/v1/tasks")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build();
                answers.put(name, status(client, submit));
                Thread.sleep(10);
              }
              return 0;
            });
      }
    }
    Thread.sleep(10_000); // a refused task could still appear late
    var there = stored(client, args);
    int refused = 0;
    int accepted = 0;
    int unknown = 0;
    int unknownStored = 0;
    var refusedStored = new ArrayList<String>();
    var missing = new ArrayList<String>();
    for (Map.Entry<String, String> answer : answers.entrySet()) {
      var stored = there.contains(answer.getKey());
      switch (answer.getValue()) {
        case "201" -> {
          accepted++;
          if (!stored) {
            missing.add(answer.getKey());
          }
        }
        case "504", "none" -> {
          unknown++;
          unknownStored += stored ? 1 : 0;
        }
        default -> {
          refused++;
          if (stored) {
            refusedStored.add(answer.getKey() + ":" + answer.getValue());
          }
        }
      }
    }
    System.out.printf(
        "accepted=%d missing=%d refused=%d refused_stored=%d unknown=%d unknown_stored=%d %s%n",
        accepted,
        missing.size(),
        refused,
        refusedStored.size(),
        unknown,
        unknownStored,
        refusedStored);
    System.exit(0);
  }

  /** The names of all tasks, page by page; asks again for a page that the server refuses. */
  private static Set<String> stored(HttpClient client, String[] args) throws Exception {
    var names = new HashSet<String>();
    for (var page = ""; page != null; ) {
      var answer =
          client.send(
              request(args, "/api/v1/tasks?limit=500" + page).build(), BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        NAME.matcher(answer.body()).results().forEach(found -> names.add(found.group(1)));
        var next = NEXT.matcher(answer.body());
        page = next.find() ? "&cursor=" + next.group(1) : null;
      } else {
        Thread.sleep(100);
      }
    }
    return names;
  }

  private static HttpRequest.Builder request(String[] args, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + args[0] + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "Bearer " + args[1]);
  }

  private static String status(HttpClient client, HttpRequest request) throws InterruptedException {
    try {
      return "" + client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return "none";
    }
  }
}
