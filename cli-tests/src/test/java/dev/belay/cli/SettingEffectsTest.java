package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.cli.client.Json;
import dev.belay.cli.process.Lite;
import dev.belay.cli.process.LiteSettings;
import dev.belay.embedded.testing.TestPostgres;
import dev.belay.settings.Catalog;
import dev.belay.settings.DatabaseGroup;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.Setting;
import dev.belay.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every setting has an effect. A lite runs with every setting different from its default; the test
 * sees each in the object that uses it, or in the behaviour of the process.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
@ResourceLock(Shell.LOGGING)
class SettingEffectsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Where the next value after the default is unsuitable. */
  private static final Map<String, String> CHOSEN =
      Map.ofEntries(
          Map.entry("host", "127.0.0.2"),
          Map.entry("connections-max", "123"),
          Map.entry("connections-per-address", "99"),
          Map.entry("allowed-host", "belay.example"),
          Map.entry("database-connections", "25"),
          Map.entry("engine-connections", "11"),
          Map.entry("dispatch-threads", "7"),
          Map.entry("postgres-memory", "48MiB"),
          Map.entry("mass-share", "0.35"),
          Map.entry("retention-share", "0.15"),
          Map.entry("running-max", "3h"),
          Map.entry("crash-waits", "1s,2s"),
          Map.entry("unavailable-waits", "1s,2s"),
          Map.entry("body-max", "1MiB"),
          Map.entry("bodies-memory-max", "4MiB"),
          Map.entry("work-memory-max", "8MiB"),
          Map.entry("answers-memory-max", "2MiB"),
          Map.entry("wait-max", "700ms"),
          Map.entry("submit-max-tasks", "7"),
          Map.entry("page-max", "41"),
          Map.entry("json-depth-max", "190"),
          Map.entry("workflow-values-max", "150"),
          Map.entry("last-choice-share", "0.8"),
          Map.entry("overloaded-share", "0.7"),
          Map.entry("avoid-overloaded", "true"),
          Map.entry("dead-letter-failed", "true"),
          Map.entry("pool", "default,blue"),
          Map.entry("label", "zone=a"),
          Map.entry("capability", "gpu,ssd"),
          Map.entry("gpu-load-command", "/bin/echo 42.5"));

  private final HttpClient client = HttpClient.newHttpClient();
  private Path home;
  private Shell around;
  private Settings settings;
  private Lite lite;
  private Map<String, List<Object>> facts;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    home = folder;
    var given = new ArrayList<String>();
    int port;
    try (var free = new java.net.ServerSocket(0)) {
      port = free.getLocalPort();
    }
    given.add("port=" + port);
    given.add("dir=" + folder.resolve("lite"));
    given.add("retention-archive=" + folder.resolve("archive"));
    given.add("hook-dir=" + Files.createDirectory(folder.resolve("hooks")));
    var defaults = Settings.of(ProcessKind.LITE);
    int index = 0;
    for (Setting<?> setting : defaults.all()) {
      index++;
      if (!List.of("port", "dir", "task-user", "retention-archive", "hook-dir")
          .contains(setting.name())) {
        given.add(setting.name() + "=" + other(setting, defaults, index));
      }
    }
    settings = Settings.of(ProcessKind.LITE, given.toArray(String[]::new));
    Files.createDirectories(folder.resolve("lite"));
    around = new Shell(folder).home(folder.resolve("home"));
    lite =
        Lite.start(
            new LiteSettings(folder.resolve("lite"), settings, false),
            around.surroundings(new ByteArrayOutputStream(), new ByteArrayOutputStream()));
    // The second heartbeat, so the worker has the settings from its welcome.
    await().atMost(PATIENCE).until(() -> get("/api/v1/workers").body().contains("\"CONNECTED\""));
    facts = ObjectGraph.of(lite);
  }

  @AfterAll
  void stop() throws IOException {
    if (lite != null) {
      lite.close();
    }
    around.unlink();
    client.close();
  }

  private static String other(Setting<?> setting, Settings defaults, int index) {
    String chosen = CHOSEN.get(setting.name());
    if (chosen != null) {
      return chosen;
    }
    return switch (defaults.find(setting).orElseThrow()) {
      case Duration duration -> format(setting, duration.plusMillis(index));
      case Long bytes -> format(setting, bytes + index);
      case Integer count -> format(setting, count + 1 + index % 7);
      case Object other -> throw new AssertionError("choose another " + setting + " than " + other);
    };
  }

  @SuppressWarnings("unchecked") // the value is of the setting's type
  private static <T> String format(Setting<T> setting, Object value) {
    return setting.type().format((T) value);
  }

  static Stream<Setting<?>> seen() {
    return Effects.SEEN.keySet().stream();
  }

  @Test
  void every_setting_has_a_test_of_its_effect() {
    var shown = new HashSet<String>();
    Effects.SEEN.keySet().forEach(setting -> shown.add(setting.name()));
    for (var method : SettingEffectsTest.class.getDeclaredMethods()) {
      Shows names = method.getAnnotation(Shows.class);
      if (names != null) {
        shown.addAll(List.of(names.value()));
      }
    }
    assertThat(Catalog.all().stream().map(Setting::name))
        .containsExactlyInAnyOrderElementsOf(shown);
  }

  @Test
  void every_setting_of_lite_is_changed() {
    var same =
        settings.all().stream()
            .filter(setting -> settings.shown(setting).equals(settings.shownDefault(setting)))
            .map(Setting::name)
            .toList();
    assertThat(same).containsExactly("task-user");
  }

  @ParameterizedTest
  @MethodSource
  void seen(Setting<?> setting) {
    Object wanted = settings.of(setting);
    for (String entry : Effects.SEEN.getOrDefault(setting, List.of())) {
      String field = entry.replace(Effects.ANY, "");
      boolean any = entry.endsWith(Effects.ANY);
      assertThat(facts).as("no such field: " + field).containsKey(field);
      assertThat(facts.get(field))
          .as("%s in %s", setting, field)
          .matches(
              all ->
                  any
                      ? all.stream().anyMatch(found -> isSame(wanted, found))
                      : all.stream().allMatch(found -> isSame(wanted, found)));
    }
  }

  /** A component may hold a duration in another unit. */
  private static boolean isSame(Object wanted, Object found) {
    if (wanted instanceof Duration duration && found instanceof Number number) {
      return number.longValue() == duration.toMillis() || number.longValue() == duration.toNanos();
    }
    if (wanted instanceof Double share) {
      return share.equals(found);
    }
    if (wanted instanceof Number one && found instanceof Number other) {
      return one.longValue() == other.longValue();
    }
    return wanted.equals(found);
  }

  @Test
  @Shows({"check-threads", "check-queue", "plan-threads"})
  void pools_have_their_sizes() {
    assertThat(facts.get("WorkPool.Size.threads"))
        .contains(
            settings.of(RequestGroup.CHECK_THREADS), settings.of(ExpressionGroup.PLAN_THREADS));
    assertThat(facts.get("WorkPool.Size.queueMax")).contains(settings.of(RequestGroup.CHECK_QUEUE));
  }

  @Test
  @Shows({
    "expression-steps",
    "expression-time",
    "run-expression-steps",
    "run-expression-time",
    "plan-stuck-grace"
  })
  void expressions_have_their_budgets() {
    assertThat(facts.get("ExpressionLimits.Bound.steps"))
        .contains(
            (long) settings.of(ExpressionGroup.EXPRESSION_STEPS),
            (long) settings.of(ExpressionGroup.RUN_EXPRESSION_STEPS));
    assertThat(facts.get("ExpressionLimits.Bound.time"))
        .contains(
            settings.of(ExpressionGroup.EXPRESSION_TIME),
            settings.of(ExpressionGroup.RUN_EXPRESSION_TIME));
    assertThat(facts.get("PlanPool.Limits.stuckAfter"))
        .contains(
            settings
                .of(ExpressionGroup.RUN_EXPRESSION_TIME)
                .plus(settings.of(ExpressionGroup.PLAN_STUCK_GRACE)));
  }

  @Test
  @Shows({"bodies-memory-max", "work-memory-max", "answers-memory-max"})
  void memory_is_bounded() {
    // Each is divided into a quarter for the small and the rest for the large, in KiB.
    assertThat(facts.get("Budget.Lane.units"))
        .contains(1_024, 3 * 1_024, 2 * 1_024, 6 * 1_024, 512, 3 * 512);
  }

  @Test
  @Shows({"database-connections", "postgres-memory"})
  void connections_and_memory_of_postgres_are_those_that_were_chosen() {
    assertThat(facts.get("ApiPool.size"))
        .containsExactly(
            settings.of(DatabaseGroup.DATABASE_CONNECTIONS)
                - settings.of(DatabaseGroup.ENGINE_CONNECTIONS));
    assertThat(facts.get("EnginePool.shared_buffers")).containsOnly((48L << 20) / 8_192);
  }

  @Test
  @Shows({"port", "dir"})
  void it_listens_and_keeps_its_data_where_it_was_told() throws Exception {
    assertThat(lite.url().toString())
        .isEqualTo("http://127.0.0.2:" + settings.of(dev.belay.settings.ServerGroup.PORT));
    assertThat(home.resolve("lite/postgres")).isDirectory();
    assertThat(home.resolve("lite/token")).exists();
  }

  @Test
  @Shows("allowed-host")
  void it_answers_for_the_names_that_were_allowed() throws Exception {
    assertThat(statusFor("belay.example")).contains(" 200 ");
    assertThat(statusFor("other.example")).contains(" 421 ");
  }

  private String statusFor(String host) throws IOException {
    try (var socket = new Socket(lite.url().getHost(), lite.url().getPort())) {
      var request =
          "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .findFirst()
          .orElse("");
    }
  }

  @Test
  @Shows("page-max")
  void a_page_has_no_more_items() throws Exception {
    assertThat(get("/api/v1/tasks?limit=41").statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/tasks?limit=42").statusCode()).isEqualTo(400);
  }

  @Test
  @Shows("submit-max-tasks")
  void a_submit_has_no_more_tasks() throws Exception {
    String task = "{\"command\": [\"true\"]}";
    var refused =
        post("{\"tasks\": [" + String.join(",", java.util.Collections.nCopies(8, task)) + "]}");
    assertThat(refused.statusCode()).isGreaterThanOrEqualTo(400);
    assertThat(refused.body()).contains("7");
    assertThat(post("{\"tasks\": [" + task + "]}").statusCode()).isLessThan(300);
  }

  @Test
  @Shows("wait-max")
  void a_call_waits_no_longer() throws Exception {
    var task =
        Json.parse(
            post("{\"command\": [\"sleep\", \"30\"]}").body().getBytes(StandardCharsets.UTF_8));
    long began = System.nanoTime();
    var answer = get("/api/v1/tasks/" + Json.text(task, "id") + "?wait=20s");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(Duration.ofMillis(700), Duration.ofSeconds(15));
  }

  @Test
  @Shows("workflow-values-max")
  void a_workflow_file_has_no_more_values() throws Exception {
    String file = "name: many\ntask:\n  command: [" + "x, ".repeat(200) + "x]\n";
    var refused =
        send(
            request("/api/v1/workflows")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(file)));
    assertThat(refused.statusCode()).isGreaterThanOrEqualTo(400);
    assertThat(refused.body()).contains("150 values");
  }

  @Test
  @Shows("label")
  void the_server_knows_the_labels_of_the_worker() throws Exception {
    assertThat(facts.get("Offer.labels")).contains(Map.of("zone", "a"));
    assertThat(get("/api/v1/workers").body()).containsPattern("\"zone\" *: *\"a\"");
  }

  @Test
  @Shows({"capability", "gpu-load-command"})
  void the_server_knows_what_the_worker_can_do_and_how_busy_it_is() throws Exception {
    assertThat(get("/api/v1/workers").body())
        .containsPattern("\"capabilities\" *: *\\[ *\"gpu\", *\"ssd\" *\\]");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get("/api/v1/workers").body())
                    .containsPattern("\"gpu_percent\" *: *42.5"));
  }

  @Test
  @Shows("task-user")
  void tasks_of_a_user_that_does_not_exist_do_not_start() {
    var result =
        new Shell(home)
            .run("lite", "--dir", home + "/other", "--task-user", "nosuchuser", "--port", "0");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).containsAnyOf("nosuchuser", "root");
  }

  @Test
  @Shows({"server", "name", "join-token-file", "log-file"})
  void an_agent_takes_everything_from_the_environment() throws Exception {
    var env = new HashMap<String, String>();
    env.put("HOME", home.toString());
    env.put("BELAY_SERVER", lite.url().toString());
    env.put("BELAY_NAME", "named-by-variable");
    env.put("BELAY_JOIN_TOKEN_FILE", home.resolve("lite/join-token").toString());
    env.put("BELAY_DIR", home.resolve("agent").toString());
    env.put("BELAY_LOG_FILE", home.resolve("agent.log").toString());
    try (var agent = new BelayProcess(home, env, "agent").awaitOut("joins for tasks of")) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(get("/api/v1/workers").body())
                      .as(agent.err())
                      .contains("\"named-by-variable\""));
      assertThat(home.resolve("agent.log")).isNotEmptyFile();
      assertThat(home.resolve("agent")).isDirectory();
    }
  }

  @Test
  @Shows({
    "replica",
    "api-token-file",
    "task-log-dir",
    "database-url",
    "database-user",
    "database-password"
  })
  void a_server_takes_everything_from_its_file() throws Exception {
    var database = TestPostgres.freshDatabase();
    var file =
        Files.writeString(
            home.resolve("belay.yaml"),
            """
            database-url: %s
            database-user: %s
            database-password: "%s"
            replica: named-by-file
            port: 0
            dir: server
            api-token-file: api-token
            task-log-dir: task-logs
            """
                .formatted(database.jdbcUrl(), database.user(), database.password()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    var env = Map.of("HOME", home.toString());
    try (var server =
        new BelayProcess(home, env, "server", "--config", file.toString()).awaitOut("http://")) {
      var url = server.out().replaceFirst("(?s).*?(http://[0-9.:]+).*", "$1");
      var info =
          send(
              HttpRequest.newBuilder(URI.create(url + "/api/v1/info"))
                  .header(
                      "Authorization",
                      "Bearer " + Files.readString(home.resolve("api-token")).strip()));
      assertThat(info.body()).contains("\"named-by-file\"");
      assertThat(home.resolve("task-logs")).isDirectory();
      assertThat(home.resolve("server/join-token")).exists();
      var shell = new Shell(home);
      shell.env.put("BELAY_SERVER", url);
      shell.env.put("BELAY_TOKEN_FILE", home.resolve("api-token").toString());
      var config = shell.run("config");
      assertThat(config.out())
          .containsPattern("database-password +\\(set\\) +\\S+belay.yaml:3")
          .containsPattern("replica +named-by-file +\\S+belay.yaml:4")
          .containsPattern("tick +1s +default +1s");
    }
  }

  @Test
  @Shows({"no-wait", "database-password-file"})
  void a_server_that_does_not_wait_ends_when_there_is_no_database() throws Exception {
    var shell = new Shell(home);
    String[] line = {
      "server",
      "--database-url",
      "jdbc:postgresql://127.0.0.1:1/x",
      "--database-user",
      "u",
      "--dir",
      home + "/none",
      "--port",
      "0",
      "--no-wait"
    };
    var result = shell.run(line);
    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err()).doesNotContain("Waiting for the database");
    shell.env.put("BELAY_DATABASE_PASSWORD_FILE", home + "/no-such-file");
    assertThat(shell.run(line).err()).contains("Cannot read " + home + "/no-such-file");
  }

  private HttpRequest.Builder request(String path) throws Exception {
    return HttpRequest.newBuilder(URI.create(lite.url() + path))
        .header("Authorization", "Bearer " + lite.connection().token());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  private HttpResponse<String> post(String body) throws Exception {
    return send(
        request("/api/v1/tasks")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
