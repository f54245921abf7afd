package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits on what one client can cost the others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class BoundsApiTest {

  private static final String SUBMIT = "{\"command\": [\"true\"]}";
  private static final int REMARK_CHARS = 3_900_000;
  private static final String[] SHORT = {
    "upload-stall-max=500ms", "answer-stall-max=1s", "workflow-values-max=1000"
  };

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder, SHORT);
  }

  @BeforeEach
  void clear() {
    api.store.clear();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void a_small_body_of_too_many_values_is_refused_before_anything_is_built() {
    var many = "{\"params\": {\"p\": [" + "{},".repeat(200_000) + "{}]}}";
    for (var path : List.of("/api/v1/workflows/nothing/runs", "/api/v1/tasks")) {
      var answer = api.post(path, many);
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.json().get("type").asText())
          .isEqualTo("urn:belay:problem:body-too-complex");
      var error = answer.json().get("errors").get(0);
      assertThat(error.get("field").asText()).startsWith("params.p[9");
      assertThat(error.get("line").asInt()).isOne();
      assertThat(error.get("message").asText()).contains("100000");
    }
    assertThat(api.store.stored()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"depth, nested", "string, text", "number, number", "name, name", "keys, fields"})
  void each_kind_of_excess_is_named(String kind, String word) {
    var value =
        switch (kind) {
          case "depth" -> "[".repeat(300) + "]".repeat(300);
          case "string" -> '"' + "x".repeat((4 << 20) + 1) + '"';
          case "number" -> "1" + "0".repeat(500);
          case "name" -> "{\"" + "x".repeat(1_001) + "\": 1}";
          default -> {
            var keys = new StringBuilder("{\"k\": 1");
            for (int i = 0; i <= 10_000; i++) {
              keys.append(", \"k").append(i).append("\": 1");
            }
            yield keys + "}";
          }
        };
    var answer = api.post("/api/v1/tasks", "{\"command\": [\"true\"], \"env\": " + value + "}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().get("errors").get(0).get("field").asText()).startsWith("env");
    assertThat(answer.json().get("detail").asText()).contains(word).contains("json-");
  }

  @Test
  void a_workflow_file_of_too_many_values_is_refused_with_its_line() {
    var answer =
        api.postYaml("/api/v1/workflows/validate", "name: w\nx: [" + "1,".repeat(1_001) + "1]\n");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("more than 1000 values").contains("\"line\":2");
  }

  @Test
  void uploads_that_stall_hold_up_nobody_and_are_cut_off() throws Exception {
    var stalled = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 40; i++) {
        stalled.add(upload(api, 1_000, "{"));
      }
      var began = System.nanoTime();
      assertThat(api.post("/api/v1/tasks", SUBMIT).status()).isEqualTo(201);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
      for (var socket : stalled) {
        assertThat(firstLine(socket)).contains(" 408 ");
      }
    } finally {
      closeAll(stalled);
    }
  }

  @Test
  void a_body_that_finds_no_room_is_refused_at_once_and_small_ones_still_pass(@TempDir Path folder)
      throws Exception {
    var large = new ArrayList<Socket>();
    try (var few = new ApiFixture(folder, "bodies-memory-max=4MiB", "body-max=2MiB")) {
      // Large bodies have three quarters of the budget; these three nearly fill it.
      for (int i = 0; i < 3; i++) {
        large.add(upload(few, 1 << 20, " ".repeat((1 << 20) - 1)));
      }
      while (few.metrics.registry().get("belay_body_bytes").gauge().value() < 3 << 20) {
        Thread.onSpinWait();
      }
      var refused = few.post("/api/v1/tasks", " ".repeat(1 << 20));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("retry-after")).isNotEmpty();
      assertThat(few.post("/api/v1/tasks", SUBMIT).status()).isEqualTo(201);
    } finally {
      closeAll(large);
    }
  }

  @Test
  void a_client_that_does_not_read_its_answer_is_cut_off() throws Exception {
    var remark = "x".repeat(REMARK_CHARS);
    var file = "name: large\ntask: {command: [/bin/true]}\n# " + remark + "\n";
    assertThat(api.postYaml("/api/v1/workflows", file).status()).isEqualTo(201);
    var readers = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 3; i++) {
        var socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(
            new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), api.port()));
        write(socket, "GET /api/v1/workflows/large HTTP/1.1\r\n" + headers(api) + "\r\n");
        readers.add(socket);
      }
      while (cut() < 3) {
        Thread.onSpinWait();
      }
      for (var socket : readers) {
        assertThat(readAll(socket)).isLessThan(REMARK_CHARS);
      }
    } finally {
      closeAll(readers);
    }
    assertThat(api.fetch("/api/v1/workflows/large").text()).contains(remark);
  }

  private double cut() {
    return api.metrics.registry().get("belay_readers_cut_total").counter().count();
  }

  private static Socket upload(ApiFixture api, int length, String begin) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    write(
        socket,
        "POST /api/v1/tasks HTTP/1.1\r\n"
            + headers(api)
            + "Content-Type: application/json\r\nContent-Length: "
            + length
            + "\r\n\r\n"
            + begin);
    return socket;
  }

  private static String headers(ApiFixture api) {
    return "Host: localhost\r\nAuthorization: Bearer " + api.token + "\r\n";
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String firstLine(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    var line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
      line.append((char) c);
      c = socket.getInputStream().read();
    }
    return line.toString();
  }

  /** Reads until the other side closes. */
  private static long readAll(Socket socket) {
    long bytes = 0;
    try {
      socket.setSoTimeout(20_000);
      var buffer = new byte[64 << 10];
      for (int n = socket.getInputStream().read(buffer); n >= 0; ) {
        bytes += n;
        n = socket.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // A reset also ends it.
      assertThat(e).isNotInstanceOf(java.net.SocketTimeoutException.class);
    }
    return bytes;
  }

  private static void closeAll(List<Socket> sockets) throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }
}
