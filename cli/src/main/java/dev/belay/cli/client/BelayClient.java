package dev.belay.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandFailed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a server, or to the next replica when one refuses the connection or is
 * unavailable, and stays with the one that answered. A refusal is {@link ApiRefused}; a server that
 * is silent or unavailable is {@link Unreachable}. Not thread-safe.
 */
public final class BelayClient implements AutoCloseable {

  public static final int PAGE_MAX = 500;
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final int ANSWER_MAX_BYTES = 64 << 20;
  private static final int SAFE_TRIES = 3;
  private static final int OK_MIN = 200;
  private static final int OK_MAX = 299;
  private static final int SERVER_ERROR_MIN = 500;
  private static final int UNAVAILABLE = 503;
  private static final String API = "/api/v1";

  /** A placeholder: the server's address is known only when a request is sent. */
  private static final URI ANY_SERVER = URI.create("http://any-server");

  private final List<ServerAddress> connections;
  private final HttpClient http;
  private int current;

  public BelayClient(ServerAddress connection) {
    this(List.of(connection));
  }

  /**
   * @param connections replicas of one cluster; at least one
   */
  public BelayClient(List<ServerAddress> connections) {
    if (connections.isEmpty()) {
      throw new IllegalArgumentException("no server to ask");
    }
    this.connections = List.copyOf(connections);
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /** The server that answered last. */
  public ServerAddress connection() {
    return connections.get(current);
  }

  /** Whether {@code /readyz} of one of them succeeds. */
  public boolean ready() throws CommandFailed {
    for (int i = 0; i < connections.size(); i++) {
      if (isReady(connections.get(i))) {
        current = i;
        return true;
      }
    }
    return false;
  }

  private boolean isReady(ServerAddress connection) throws CommandFailed {
    var request =
        HttpRequest.newBuilder(URI.create(connection.url() + "/readyz"))
            .timeout(CONNECT_TIMEOUT)
            .build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode() == OK_MIN;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }

  public JsonNode fetch(Query query) throws CommandFailed {
    return exchange(request(query, Duration.ZERO).GET().build());
  }

  /** A read that the server answers when the task or run is over, or after this time. */
  public JsonNode await(String path, Duration wait) throws CommandFailed {
    return await(new Query(path), wait);
  }

  /** A read that the server answers when there is something to tell, or after this time. */
  public JsonNode await(Query query, Duration wait) throws CommandFailed {
    var waiting = query.copy().with("wait", wait.toMillis() + "ms");
    return exchange(request(waiting, wait).GET().build());
  }

  /** Reads up to {@code limit} items of a list, in the form of one page. */
  public ObjectNode list(Query query, int limit) throws CommandFailed {
    return list(query, null, limit);
  }

  /**
   * @param cursor the {@code next} of an earlier list; null begins at the start
   */
  public ObjectNode list(Query query, @Nullable String cursor, int limit) throws CommandFailed {
    ArrayNode items = Json.object().putArray("items");
    JsonNode next = cursor == null ? items.nullNode() : items.textNode(cursor);
    do {
      int size = Math.min(PAGE_MAX, limit - items.size());
      var page = query.copy().with("limit", size);
      var answer = fetch(next.isNull() ? page : page.with("cursor", next.asText()));
      answer.path("items").forEach(items::add);
      JsonNode last = next;
      next = answer.path("next").isMissingNode() ? items.nullNode() : answer.path("next");
      if (next.equals(last)) {
        break; // a page may be empty, but it must lead on
      }
    } while (!next.isNull() && items.size() < limit);
    var list = Json.object();
    list.set("items", items);
    list.set("next", next);
    return list;
  }

  public JsonNode post(Query query, JsonNode body) throws CommandFailed {
    return exchange(
        request(query, Duration.ZERO)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  /** With a condition on what is there: If-Match or If-None-Match. */
  public JsonNode put(Query query, JsonNode body, String condition, String value)
      throws CommandFailed {
    return exchange(
        request(query, Duration.ZERO)
            .header("Content-Type", "application/json")
            .header(condition, value)
            .PUT(BodyPublishers.ofString(body.toString()))
            .build());
  }

  public JsonNode delete(Query query) throws CommandFailed {
    return exchange(request(query, Duration.ZERO).DELETE().build());
  }

  /** The key makes it safe to repeat the request after a lost answer. */
  public JsonNode postOnce(Query query, JsonNode body, String idempotencyKey) throws CommandFailed {
    var request =
        request(query, Duration.ZERO)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .POST(BodyPublishers.ofString(body.toString()))
            .build();
    for (int tried = 1; ; tried++) {
      try {
        return exchange(request);
      } catch (Unreachable e) {
        boolean answerLost =
            !(e.getCause() instanceof ConnectException
                || e.getCause() instanceof HttpTimeoutException);
        if (!answerLost || tried == SAFE_TRIES) {
          throw e;
        }
        ReconnectLimit.pause();
      }
    }
  }

  /**
   * Registers a workflow file. Sends only the file's name, because servers refuse paths with {@code
   * ..}.
   */
  public JsonNode register(Path file, String text) throws CommandFailed {
    var name = file.getFileName() == null ? "workflow.yaml" : file.getFileName().toString();
    return exchange(
        request(new Query("/workflows").with("file", name), Duration.ZERO)
            .header("Content-Type", "application/yaml")
            .POST(BodyPublishers.ofString(text))
            .build());
  }

  /** Copies a text answer as it arrives and returns the number of bytes. */
  public long copy(Query query, OutputStream to) throws CommandFailed {
    // Has no timeout, because a followed stream may last.
    var request = request(query, null).GET().build();
    long copied = 0;
    try (var body = send(request).body()) {
      var buffer = new byte[8192];
      for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        to.write(buffer, 0, read);
        to.flush();
        copied += read;
      }
      return copied;
    } catch (IOException e) {
      throw new Unreachable(connection(), e);
    }
  }

  /**
   * Copies one page of lines.
   *
   * @return the cursor of the next page; null after the last one
   */
  public @Nullable String copyPage(Query query, OutputStream to) throws CommandFailed, IOException {
    var response = send(request(query, Duration.ZERO).GET().build());
    try (var body = response.body()) {
      var buffer = new byte[8192];
      for (int read = read(body, buffer); read >= 0; read = read(body, buffer)) {
        to.write(buffer, 0, read);
      }
    }
    return response.headers().firstValue("belay-next").orElse(null);
  }

  /** Apart from failures of the receiving stream, which are not the server's. */
  private int read(InputStream body, byte[] buffer) throws Unreachable {
    try {
      return body.read(buffer);
    } catch (IOException e) {
      throw new Unreachable(connection(), e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private HttpRequest.Builder request(Query query, @Nullable Duration wait) {
    var request = HttpRequest.newBuilder(URI.create(ANY_SERVER + API + query));
    if (wait != null) {
      request.timeout(ANSWER_TIMEOUT.plus(wait));
    }
    return request.header("Accept", "application/json, application/problem+json, text/plain");
  }

  private JsonNode exchange(HttpRequest request) throws CommandFailed {
    try (var body = send(request).body()) {
      return Json.parse(body.readNBytes(ANSWER_MAX_BYTES));
    } catch (JsonProcessingException e) {
      throw ApiRefused.notBelay(connection(), "it answers with something that is not JSON");
    } catch (IOException e) {
      throw new Unreachable(connection(), e);
    }
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws CommandFailed {
    Unreachable last = null;
    int first = current;
    for (int i = 0; i < connections.size(); i++) {
      current = (first + i) % connections.size();
      try {
        return sendTo(connection(), request);
      } catch (Unreachable failed) {
        last = failed;
        if (!mayAskAnother(request, failed)) {
          break;
        }
      }
    }
    throw Objects.requireNonNull(last);
  }

  /** A refused or undelivered request had no effect, and a read is repeatable. */
  private static boolean mayAskAnother(HttpRequest request, Unreachable failed) {
    return request.method().equals("GET")
        || failed.getCause() instanceof ConnectException
        || failed.getCause() instanceof HttpConnectTimeoutException
        || failed.getCause() instanceof ApiRefused;
  }

  private HttpResponse<InputStream> sendTo(ServerAddress connection, HttpRequest request)
      throws CommandFailed {
    try {
      var response = http.send(at(connection, request), BodyHandlers.ofInputStream());
      if (response.statusCode() >= OK_MIN && response.statusCode() <= OK_MAX) {
        return response;
      }
      if (isStrange(response)) {
        throw ApiRefused.notBelay(connection, "it answers with status " + response.statusCode());
      }
      var refused = ApiRefused.of(response.statusCode(), problem(response), connection);
      throw response.statusCode() == UNAVAILABLE ? new Unreachable(refused) : refused;
    } catch (IOException e) {
      throw new Unreachable(connection, e);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }

  /** Another program's page. A gateway whose server is down answers 502 to 504. */
  private static boolean isStrange(HttpResponse<InputStream> response) {
    return response.statusCode() < SERVER_ERROR_MIN
        && response
            .headers()
            .firstValue("Content-Type")
            .filter(type -> type.contains("html"))
            .isPresent();
  }

  /** The request to this server, with its token. The server may be below a path. */
  private static HttpRequest at(ServerAddress connection, HttpRequest request) {
    String suffix = request.uri().toString().substring(ANY_SERVER.toString().length());
    var there = URI.create(connection.url() + suffix);
    var moved = HttpRequest.newBuilder(request, (name, value) -> true).uri(there);
    if (connection.token() != null) {
      moved.header("Authorization", "Bearer " + connection.token());
    }
    return moved.build();
  }

  private static JsonNode problem(HttpResponse<InputStream> response) {
    try (var body = response.body()) {
      return Json.parse(body.readNBytes(ANSWER_MAX_BYTES));
    } catch (IOException e) {
      // Not JSON, or cut off: the status alone must do.
      return Json.object();
    }
  }
}
