package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.belay.embedded.testing.TestPostgres;
import dev.belay.server.ServerSettings;
import dev.belay.server.http.Connections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** How a server handles connections and heads before any service sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class FrontDoorTest {

  private static final int MOST = 20;

  private Running server;
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    logged.start();
    ((Logger) LoggerFactory.getLogger("com.linecorp.armeria")).addAppender(logged);
    var address = TestPostgres.freshDatabase();
    server =
        Running.start(
            "door",
            folder,
            new ServerSettings.Database(address.jdbcUrl(), address.user(), address.password()),
            "connections-max=" + MOST);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /healthz HTTP/1.1|Host: localhost\\r\\nHost: localhost|400|2 Host headers",
        "GET /healthz HTTP/1.1|X: y|400|Host header is missing",
        "GET /healthz HTTP/1.0|X: y|400|Host header is missing",
        "GET /healthz HTTP/9.9|Host: localhost|505|not HTTP/9.9",
        "BREW /healthz HTTP/1.1|Host: localhost\\r\\nExpect: 100-continue|405|does not know",
        "GET /nowhere HTTP/1.1|Host: localhost|404|urn:belay:problem:unknown-path",
        "PUT /healthz HTTP/1.1|Host: localhost|405|urn:belay:problem:unknown-method",
        "GET /belay.agent.v1.AgentGateway/Session HTTP/1.1|Host: localhost|401|workers-only",
      })
  void each_fault_of_a_head_is_answered_as_a_problem(
      String line, String headers, int status, String detail) throws Exception {
    var answer =
        ask(line + "\r\n" + headers.replace("\\r\\n", "\r\n") + "\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 " + status).contains("application/problem+json");
    assertThat(answer).contains(detail).doesNotContain(InetAddress.getLocalHost().getHostName());
    assertThat(logged.list).noneMatch(event -> event.getThrowableProxy() != null);
  }

  @Test
  @Timeout(2) // the library would leave it open for three seconds
  void a_connection_ends_with_its_last_answer() throws Exception {
    var head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assertThat(ask(head)).startsWith("HTTP/1.1 200").endsWith("}");
  }

  @Test
  void a_head_that_is_too_large_is_refused() throws Exception {
    var head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000) + "\r\n\r\n";
    assertThat(ask(head)).startsWith("HTTP/1.1 431").contains("application/problem+json");
  }

  @Test
  void a_broken_preface_ends_the_connection_without_a_stack_in_the_log() throws Exception {
    assertThat(ask("PRI * HTTP/2.0\r\n\r\nNONSENSE\r\n\r\n")).isEmpty();
    assertThat(logged.list).noneMatch(event -> event.getThrowableProxy() != null);
  }

  @Test
  void a_worker_without_a_token_hears_so_in_its_own_protocol() throws Exception {
    var head =
        List.of(
            "POST /belay.agent.v1.AgentGateway/Session HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/grpc",
            "Connection: close",
            "Content-Length: 0");
    var answer = ask(String.join("\r\n", head) + "\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200").contains("grpc-status: 16");
  }

  @Test
  void idle_connections_make_room_for_new_ones_the_oldest_first() throws Exception {
    var idle = new ArrayList<Socket>();
    try {
      open(idle, MOST / 2);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> metric("belay_connections_open") > MOST / 2);
      open(idle, 2 * MOST);
      assertThat(server.status()).isEqualTo("healthy");
      // If the client's own idle connection makes room, it opens another.
      await()
          .atMost(Duration.ofSeconds(20))
          .ignoreExceptions()
          .until(() -> server.submit().status() == 201);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  metric("belay_connections_closed_idle_total")
                          + metric("belay_connections_refused_total")
                      >= 1.5 * MOST);
      assertThat(metric("belay_connections_open")).isLessThanOrEqualTo(MOST);
      for (var oldest : idle.subList(0, MOST / 2)) {
        assertThat(isOpen(oldest)).isFalse();
      }
      assertThat(idle.stream().anyMatch(FrontDoorTest::isOpen)).isTrue();
    } finally {
      for (var socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void a_process_keeps_descriptors_for_its_own_work() {
    assertThat(Connections.affordable(10_000, 1_000_000)).isEqualTo(10_000);
    assertThat(Connections.affordable(10_000, 2_048)).isEqualTo(1_024);
    assertThat(Connections.affordable(10_000, 512)).isEqualTo(212);
    assertThat(Connections.affordable(10_000, 256)).isEqualTo(32);
    assertThat(Connections.affordable(100, Long.MAX_VALUE)).isEqualTo(100);
    assertThat(Connections.atAll(512, 1_024)).isEqualTo(640);
    assertThat(Connections.atAll(100, Long.MAX_VALUE / 2)).isEqualTo(Integer.MAX_VALUE);
  }

  private void open(List<Socket> sockets, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      sockets.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }
  }

  private double metric(String name) {
    return server
        .fetch("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isOpen(Socket socket) {
    try {
      socket.setSoTimeout(200);
      return socket.getInputStream().read() >= 0;
    } catch (java.net.SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Everything the server sends until it closes. */
  private String ask(String text) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
