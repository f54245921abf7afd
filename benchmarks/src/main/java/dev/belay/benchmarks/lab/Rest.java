package dev.belay.benchmarks.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends the load over REST, as every client does. */
public final class Rest implements AutoCloseable {

  private static final Duration ANSWER_MAX = Duration.ofMinutes(2);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final URI base;
  private final String token;

  Rest(URI base, String token) {
    this.base = base;
    this.token = token;
  }

  /** Returns the body; any answer but success is an error. */
  public String post(String path, String type, byte[] body)
      throws IOException, InterruptedException {
    return send(
        request(path).header("Content-Type", type).POST(BodyPublishers.ofByteArray(body)).build());
  }

  public String post(String path, String json) throws IOException, InterruptedException {
    return post(path, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  public String fetch(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  /** Reads the whole answer to a call and returns its status, also of an error. */
  public int status(String path) throws IOException, InterruptedException {
    return client.send(request(path).GET().build(), BodyHandlers.ofByteArray()).statusCode();
  }

  public String metrics() throws IOException, InterruptedException {
    return send(requestTo("/metrics").GET().build());
  }

  private HttpRequest.Builder request(String path) {
    return requestTo("/api/v1" + path);
  }

  private HttpRequest.Builder requestTo(String path) {
    return HttpRequest.newBuilder(base.resolve(path))
        .header("Authorization", "Bearer " + token)
        .timeout(ANSWER_MAX);
  }

  private String send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          request.uri().getPath() + " answered " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
