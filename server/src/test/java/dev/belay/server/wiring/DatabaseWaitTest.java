package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.TestPostgres;
import dev.belay.server.ServerSettings;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseWaitTest {

  @TempDir Path folder;
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final CompletableFuture<String> stop = new CompletableFuture<>();

  @Test
  void a_server_waits_for_its_database_says_so_and_answers_503_meanwhile() throws Exception {
    var real = TestPostgres.freshDatabase();
    int closed = freePort();
    int port = freePort();
    String url = real.jdbcUrl().replaceFirst("//[^/]+/", "//127.0.0.1:" + closed + "/");
    var waiting = waitFor(url, real.user(), real.password(), port);

    await().until(() -> !told.isEmpty());
    assertThat(told.getFirst())
        .startsWith("Waiting for the database jdbc:postgresql://127.0.0.1:" + closed)
        .contains("nothing listens there")
        .doesNotContain(real.password());
    try (var client = HttpClient.newHttpClient()) {
      var answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/monitor/health"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("waits for its database");
    }
    assertThat(waiting).isNotDone();

    try (var _ = forward(closed, URI.create(real.jdbcUrl().substring("jdbc:".length())))) {
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
    }
    // The port is free for the server itself.
    try (var again = new ServerSocket(port)) {
      assertThat(again.isBound()).isTrue();
    }
  }

  @Test
  void a_signal_ends_the_wait() throws Exception {
    var waiting = waitFor("jdbc:postgresql://127.0.0.1:" + freePort() + "/x", "x", "x", 0);
    await().until(() -> !told.isEmpty());
    stop.complete("TERM");
    assertThat(waiting.get(10, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void what_does_not_pass_by_itself_is_not_waited_for() throws Exception {
    var real = TestPostgres.freshDatabase();
    String nowhere = real.jdbcUrl().replaceFirst("/[^/?]+(\\?.*)?$", "/no_such_database");
    assertThat(waitFor(nowhere, real.user(), real.password(), 0).get(10, TimeUnit.SECONDS))
        .isTrue();
    assertThat(waitFor("jdbc:nosuch://x/y", "x", "x", 0).get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(told).isEmpty();
  }

  private CompletableFuture<Boolean> waitFor(String url, String user, String password, int port) {
    var settings =
        new ServerSettings(
            Settings.of(ProcessKind.LITE, "port=" + port),
            "test",
            new ServerSettings.Database(url, user, password),
            ServerSettings.Files.in(folder));
    return CompletableFuture.supplyAsync(
        () -> new DatabaseWait(settings, told::add, System::nanoTime).until(stop));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The database appears at this port. */
  private static ServerSocket forward(int port, URI to) throws IOException {
    var listener = new ServerSocket(port);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  Socket client = listener.accept();
                  Socket server = new Socket(to.getHost(), to.getPort());
                  copy(client, server);
                  copy(server, client);
                }
              } catch (IOException closed) {
                // The test is over.
              }
            });
    return listener;
  }

  private static void copy(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (from;
                  to) {
                from.getInputStream().transferTo(to.getOutputStream());
              } catch (IOException closed) {
                // Either side closed the connection.
              }
            });
  }
}
