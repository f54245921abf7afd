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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits tasks, each with a name of its own, from eight clients, and keeps the answer to each.
 * When the file STOP is there, it waits and then looks which of them exist. {@code Refused PORT
 * TOKEN STOP}.
 */
final class Refused {
  private static final int CLIENTS = 8;

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
              }
              return 0;
            });
      }
    }
    int refused = 0;
    int accepted = 0;
    int unknown = 0;
    int unknownStored = 0;
    var refusedStored = new ArrayList<String>();
    var missing = new ArrayList<String>();
    for (Map.Entry<String, String> answer : answers.entrySet()) {
      var stored = exists(client, args, answer.getKey());
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
        accepted, missing.size(), refused, refusedStored.size(), unknown, unknownStored, refusedStored);
    System.exit(0);
  }

  private static boolean exists(HttpClient client, String[] args, String name) throws Exception {
    while (true) {
      var answer =
          client.send(request(args, "/api/v1/tasks?name=" + name).build(), BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        return answer.body().contains("\"name\"");
      }
      Thread.sleep(100);
    }
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
