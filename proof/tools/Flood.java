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
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Clients that send the same body again and again: {@code Flood.java URL TOKEN_FILE BODY_FILE
 * CLIENTS SECONDS}. Each client has its own connection and sends the next request as soon as it has
 * an answer (after a 503 it waits a moment). Prints the number of answers by status: {@code 200 x12
 * 503 x40}.
 */
final class Flood {
  public static void main(String[] args) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(args[0]))
            .header("Authorization", "Bearer " + Files.readString(Path.of(args[1])).strip())
            .header("Content-Type", "application/yaml")
            .timeout(Duration.ofSeconds(60))
            .POST(BodyPublishers.ofByteArray(Files.readAllBytes(Path.of(args[2]))))
            .build();
    long end = System.nanoTime() + Duration.ofSeconds(Long.parseLong(args[4])).toNanos();
    var answers = new ConcurrentSkipListMap<String, Integer>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      threads.add(Thread.ofPlatform().start(() -> send(request, end, answers)));
    }
    for (var thread : threads) {
      thread.join();
    }
    var line = new StringBuilder();
    answers.forEach((status, count) -> line.append(status).append(" x").append(count).append(' '));
    System.out.println(line.toString().strip());
  }

  private static void send(HttpRequest request, long end, Map<String, Integer> answers) {
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      while (System.nanoTime() < end) {
        String answer;
        try {
          answer = Integer.toString(client.send(request, BodyHandlers.discarding()).statusCode());
        } catch (java.io.IOException e) {
          answer = e.getClass().getSimpleName();
        }
        answers.merge(answer, 1, Integer::sum);
        if (!answer.startsWith("2")) {
          Thread.sleep(500);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
