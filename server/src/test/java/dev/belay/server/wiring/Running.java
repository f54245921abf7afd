package dev.belay.server.wiring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.server.ServerSettings;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A replica started by a test, with a client. */
final class Running implements AutoCloseable {

  /** Whatever the state of the database. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final BelayServer server;
  private final Path folder;

  private Running(BelayServer server, Path folder) {
    this.server = server;
    this.folder = folder;
  }

  /** A replica with few connections; the last setting wins. */
  static Running start(String name, Path parent, ServerSettings.Database database, String... given)
      throws Exception {
    Path folder = Files.createDirectories(parent.resolve(name));
    var all = Stream.concat(Stream.of("port=0", "database-connections=6"), Stream.of(given));
    var settings =
        new ServerSettings(
            Settings.of(ProcessKind.LITE, all.toArray(String[]::new)),
            name,
            database,
            ServerSettings.Files.in(folder));
    return new Running(BelayServer.start(settings), folder);
  }

  record Answer(int status, String text, Optional<String> retryAfter) {
    JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (IOException e) {
        throw new IllegalStateException(text, e);
      }
    }
  }

  JsonNode health() {
    return fetch("/monitor/health").json();
  }

  /** healthy or unhealthy; checks that the HTTP status and the body agree. */
  String status() {
    Answer answer = fetch("/monitor/health");
    String word = answer.json().path("status").asText();
    if ((answer.status() == 200) != word.equals("healthy")) {
      throw new AssertionError(answer.toString());
    }
    return word;
  }

  boolean leads() {
    return health().path("leader").path("is_leader").asBoolean();
  }

  Answer fetch(String path) {
    return send(path, HttpRequest.Builder::GET);
  }

  Answer submit() {
    return post("/api/v1/tasks", "{\"command\": [\"true\"]}");
  }

  Answer post(String path, String body) {
    return send(
        path,
        request ->
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
  }

  Answer put(String path, String body) {
    return send(
        path,
        request ->
            request.header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
  }

  int port() {
    return server.port();
  }

  String joinToken() {
    try {
      return Files.readString(folder.resolve("join-token")).strip();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Answer send(String path, UnaryOperator<HttpRequest.Builder> call) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
              .header(
                  "Authorization", "Bearer " + Files.readString(folder.resolve("token")).strip())
              .timeout(ANSWER_MAX);
      var response = client.send(call.apply(request).build(), BodyHandlers.ofString());
      return new Answer(
          response.statusCode(), response.body(), response.headers().firstValue("retry-after"));
    } catch (IOException e) {
      throw new IllegalStateException(path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(path, e);
    }
  }

  /** Like a TERM signal; a second call does nothing. */
  void stop() {
    server.close();
  }

  @Override
  public void close() {
    stop();
    client.close();
  }
}
