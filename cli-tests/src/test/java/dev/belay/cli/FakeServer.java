package dev.belay.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A small HTTP server with scripted answers, which records its requests. */
final class FakeServer implements AutoCloseable {

  record Asked(
      String method, String path, String query, String body, Map<String, List<String>> headers) {
    String header(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }
  }

  /**
   * @param next the cursor of the next page of lines; may be empty
   */
  record Said(int status, String type, String body, String next) {
    Said(int status, String type, String body) {
      this(status, type, body, "");
    }

    static Said lines(String body, String next) {
      return new Said(200, "application/x-ndjson", body, next);
    }

    static Said json(String body) {
      return new Said(200, "application/json", body);
    }

    static Said problem(int status, String body) {
      return new Said(status, "application/problem+json", body);
    }

    static Said text(String body) {
      return new Said(200, "text/plain", body);
    }
  }

  final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Map<String, Function<Asked, Said>> answers = new ConcurrentHashMap<>();
  private final HttpServer server;

  FakeServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  FakeServer on(String methodAndPath, Said said) {
    return on(methodAndPath, any -> said);
  }

  FakeServer on(String methodAndPath, Function<Asked, Said> answer) {
    answers.put(methodAndPath, answer);
    return this;
  }

  Asked only(String path) {
    var matching = asked.stream().filter(each -> each.path().equals(path)).toList();
    if (matching.size() != 1) {
      throw new AssertionError(path + " was asked " + matching.size() + " times: " + asked);
    }
    return matching.getFirst();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var uri = exchange.getRequestURI();
      var request =
          new Asked(
              exchange.getRequestMethod(),
              uri.getPath(),
              uri.getQuery() == null ? "" : uri.getQuery(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
              Map.copyOf(exchange.getRequestHeaders()));
      asked.add(request);
      var said =
          answers
              .getOrDefault(
                  request.method() + " " + request.path(),
                  any ->
                      Said.problem(
                          404, "{\"title\":\"Not found\",\"detail\":\"There is no such thing\"}"))
              .apply(request);
      exchange.getResponseHeaders().set("Content-Type", said.type());
      if (!said.next().isEmpty()) {
        exchange.getResponseHeaders().set("Belay-Next", said.next());
      }
      byte[] bytes = said.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(said.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
