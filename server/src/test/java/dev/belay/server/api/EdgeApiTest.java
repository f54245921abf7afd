package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.linecorp.armeria.common.HttpMethod;
import dev.belay.server.auth.CallPermission;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Requests by strangers, by mistake, or of huge size. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EdgeApiTest {

  private static final long HUGE = 100L << 20;

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder);
  }

  @BeforeEach
  void clear() {
    api.store.clear();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @ParameterizedTest
  @EnumSource(Route.class)
  void every_route_but_health_needs_the_token(Route route) {
    var path =
        route.path().replace("{id}", UUID.randomUUID().toString()).replaceAll("\\{[a-z]+}", "x");
    var body =
        route.method() == HttpMethod.POST ? BodyPublishers.ofString("{}") : BodyPublishers.noBody();
    var anonymous = api.send(api.anonymous(path).method(route.method().name(), body));
    var worker =
        api.send(
            api.anonymous(path)
                .header("Authorization", "Bearer " + api.joinToken)
                .method(route.method().name(), body));
    var wrong =
        api.send(
            api.anonymous(path)
                .header("Authorization", "Bearer " + api.token + "x")
                .method(route.method().name(), body));
    if (route == Route.RECEIVE_HOOK) {
      // It has a token of its own.
      assertThat(anonymous.status()).isEqualTo(401);
      assertThat(worker.status()).isEqualTo(401);
      return;
    }
    if (route.permission() == CallPermission.PUBLIC) {
      assertThat(path).isIn("/healthz", "/readyz", "/monitor/health");
      assertThat(anonymous.status()).isEqualTo(200);
      return;
    }
    assertThat(anonymous.status()).isEqualTo(401);
    assertThat(anonymous.header("www-authenticate")).startsWith("Bearer");
    assertThat(anonymous.header("content-type")).startsWith("application/problem+json");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(worker.status()).isEqualTo(403);
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void an_unknown_path_or_method_is_a_problem() {
    var missing = api.fetch("/api/v1/nothing?x=1");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.header("content-type")).startsWith("application/problem+json");
    assertThat(missing.json().get("detail").asText()).contains("/api/v1/nothing");
    var method = api.send(api.request("/api/v1/tasks").DELETE());
    assertThat(method.status()).isEqualTo(405);
    assertThat(method.header("allow")).contains("GET").contains("POST");
    assertThat(method.json().get("status").asInt()).isEqualTo(405);
  }

  @Test
  void the_id_of_a_task_where_a_run_is_wanted_is_told() {
    var task = api.post("/api/v1/tasks", "{\"command\": [\"true\"]}").json().get("id").asText();
    assertThat(api.post("/api/v1/runs/" + task + "/retry", "").json().get("detail").asText())
        .isEqualTo("There is no run " + task + ": this is the id of a task.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks", "runs"})
  void unknown_and_malformed_ids_are_not_found(String things) {
    for (var id : new String[] {UUID.randomUUID().toString(), "nonsense", "1-1-1-1-1", "%00"}) {
      for (var path : new String[] {"/" + id, "/" + id + "/history", "/" + id + "?wait=10s"}) {
        var answer = api.fetch("/api/v1/" + things + path);
        assertThat(answer.status()).as(path).isIn(404, id.equals("%00") ? 400 : 404);
        assertThat(answer.header("content-type")).startsWith("application/problem+json");
      }
      assertThat(api.post("/api/v1/" + things + "/" + id + "/cancel", "").status())
          .isIn(404, id.equals("%00") ? 400 : 404);
    }
    assertThat(api.fetch("/api/v1/workflows/nothing").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=501",
        "limit=x",
        "cursor=x",
        "state=SLEEPING",
        "run=x",
        "changed_after=today",
        "changed_after=%2B294277-01-01T00:00:00Z",
        "worker=1",
        "stat=FAILED"
      })
  void bad_parameters_are_refused(String query) {
    var answer = api.fetch("/api/v1/tasks?" + query);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("detail").asText())
        .contains(query.substring(0, query.indexOf('=')));
  }

  @Test
  void an_unknown_parameter_is_refused_with_what_was_meant() {
    assertThat(api.fetch("/api/v1/runs?stat=FAILED").json().get("detail").asText())
        .isEqualTo("The parameter 'stat' is unknown here; did you mean state?");
    assertThat(api.fetch("/api/v1/info?verbose=1").json().get("detail").asText())
        .isEqualTo("The parameter 'verbose' is unknown here; this call takes none.");
    assertThat(api.fetch("/api/v1/workers?name=a").json().get("detail").asText())
        .contains("this call takes cursor, limit.");
    assertThat(api.fetch("/healthz?probe=1").status()).isEqualTo(200);
    assertThat(api.fetch("/metrics?name=up").status()).isEqualTo(200);
  }

  @Test
  @Timeout(20)
  void a_huge_body_with_a_length_is_refused() throws Exception {
    assertThat(rawStatus("POST", "Content-Length: " + HUGE)).isEqualTo(413);
    var publisher = BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(Zeros::new), HUGE);
    assertThat(hugeStatus(publisher)).isEqualTo(413);
    assertThat(api.store.stored()).isZero();
  }

  @Test
  @Timeout(20)
  void a_huge_body_without_a_length_is_refused() {
    assertThat(hugeStatus(BodyPublishers.ofInputStream(Zeros::new))).isEqualTo(413);
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void other_hosts_are_refused_everywhere() throws Exception {
    for (var path : new String[] {"/healthz", "/api/v1/tasks", "/nothing"}) {
      assertThat(rawStatus("GET " + path, "Host: evil.example")).as(path).isEqualTo(421);
      assertThat(rawStatus("GET " + path, "Host: a b")).as(path).isEqualTo(400);
    }
    for (var host :
        new String[] {"localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]:8080", "belay.example"}) {
      assertThat(rawStatus("GET /healthz", "Host: " + host)).as(host).isEqualTo(200);
    }
    assertThat(rawStatus("GET /healthz", "Host: belay.example.evil")).isEqualTo(421);
  }

  @Test
  void health_readiness_metrics_and_info_answer() {
    assertThat(api.send(api.anonymous("/healthz")).status()).isEqualTo(200);
    api.ready.set(false);
    var away = api.send(api.anonymous("/readyz"));
    api.ready.set(true);
    assertThat(away.status()).isEqualTo(503);
    assertThat(away.header("retry-after")).isNotEmpty();
    assertThat(api.send(api.anonymous("/readyz")).status()).isEqualTo(200);
    assertThat(api.fetch("/metrics").header("content-type")).startsWith("text/plain");
    var info = api.fetch("/api/v1/info").json();
    assertThat(info.get("edition").asText()).isEqualTo("LITE");
    assertThat(info.get("epoch").asLong()).isZero();
    assertThat(info.get("database").asText()).isNotEmpty();
    assertThat(info.get("schema").asInt()).isPositive();
    assertThat(info.get("replicas").isArray()).isTrue();
    assertThat(info.get("leases").isArray()).isTrue();
    assertThat(api.fetch("/api/v1/schema").json().has("properties")).isTrue();
  }

  @Test
  @Timeout(30)
  void a_database_that_is_away_is_unavailable_not_an_error(@TempDir Path folder) {
    try (var other = new ApiFixture(folder)) {
      other.store.takeAway();
      var answer = other.post("/api/v1/tasks", "{\"command\": [\"ls\"]}");
      assertThat(answer.status()).as(answer.text()).isEqualTo(503);
      assertThat(answer.header("retry-after")).isEqualTo("1");
      assertThat(other.send(other.anonymous("/healthz")).status()).isEqualTo(200);
    }
  }

  @Test
  @Timeout(30)
  void a_fault_of_ours_is_told_without_its_inside_and_logged_without_secrets(@TempDir Path folder) {
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    root.addAppender(logged);
    try (var other = new ApiFixture(folder)) {
      other.store.run("ALTER TABLE task_payload RENAME TO elsewhere");
      var answer =
          other.post(
              "/api/v1/tasks", "{\"command\": [\"ls\"], \"env\": {\"PASSWORD\": \"hunter2\"}}");
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.text()).doesNotContain("task_payload");
      assertThat(logged.list.toString()).contains("request failed");
      for (var event : logged.list) {
        var cause = event.getThrowableProxy();
        assertThat(cause == null ? "" : ThrowableProxyUtil.asString(cause))
            .doesNotContain("hunter2")
            .doesNotContain(other.token);
      }
    } finally {
      root.detachAppender(logged);
    }
  }

  private int hugeStatus(java.net.http.HttpRequest.BodyPublisher body) {
    return api.send(
            api.request("/api/v1/tasks")
                .timeout(Duration.ofSeconds(15))
                .header("Content-Type", "application/json")
                .POST(body))
        .status();
  }

  /** The status of a handwritten request without a body. */
  private int rawStatus(String line, String header) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      var request =
          (line.contains(" ") ? line : line + " /api/v1/tasks")
              + " HTTP/1.1\r\n"
              + (header.startsWith("Host") ? "" : "Host: localhost\r\n")
              + header
              + "\r\nAuthorization: Bearer "
              + api.token
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      var head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      return Integer.parseInt(head.substring(9));
    }
  }

  /** A hundred megabytes of zeros. */
  private static final class Zeros extends InputStream {
    private long left = HUGE;

    @Override
    public int read() {
      return left-- > 0 ? ' ' : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      var count = (int) Math.min(left, length);
      java.util.Arrays.fill(bytes, offset, offset + count, (byte) ' ');
      left -= count;
      return count;
    }
  }
}
