package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.server.api.ApiFixture.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubmitApiTest {

  private static final String ECHO = "{\"command\": [\"/bin/echo\", \"hi\"]}";

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

  private Answer unique(String onConflict) {
    return api.post(
        "/api/v1/tasks",
        """
        {"command": ["x"], "unique": {"key": "k", "while": "unfinished", "on_conflict": "%s"}}\
        """
            .formatted(onConflict));
  }

  @Test
  void unique_task_is_rejected_found_or_replaced() {
    var first = unique("reject").json().get("id").asText();
    var rejected = unique("reject");
    assertThat(rejected.status()).isEqualTo(409);
    assertThat(rejected.json().get("type").asText()).endsWith("unique-conflict");
    assertThat(rejected.json().get("errors").get(0).get("task").asText()).isEqualTo(first);
    assertThat(rejected.text()).contains("'k'", "SCHEDULED");
    var existing = unique("existing");
    assertThat(existing.status()).isEqualTo(200);
    assertThat(existing.json().get("id").asText()).isEqualTo(first);
    assertThat(existing.json().get("existing").asBoolean()).isTrue();
    var replaced = unique("replace");
    assertThat(replaced.status()).isEqualTo(201);
    assertThat(replaced.json().has("existing")).isFalse();
    assertThat(api.fetch("/api/v1/tasks/" + first).json().get("state").asText())
        .isEqualTo("CANCELLED");
    var both =
        api.post(
            "/api/v1/tasks",
            """
            {"tasks": [{"command": ["x"], "unique": {"key": "k", "on_conflict": "existing"}}, {"command": ["x"]}]}\
            """);
    assertThat(both.status()).isEqualTo(201);
    assertThat(both.json().get("tasks").get(0).get("id")).isEqualTo(replaced.json().get("id"));
  }

  @Test
  void a_submitted_task_can_be_read() {
    var answer =
        api.post(
            "/api/v1/tasks",
            """
            {"command": ["/bin/echo", "hi \\u00e9 \\ud83d\\ude00 \\u007f"], "env": {"A": "b"}, "priority": 70,
             "labels": {"team": "data"}, "retry": {"max": 2}, "execution_timeout": "5m", "pool": "gpu",
             "deadline": "2h", "fencing": "strict", "on_worker_lost": "fail", "stall_timeout": "10m",
             "stop_grace": "0s"}\
            """);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().get("state").asText()).isEqualTo("SCHEDULED");
    var task = api.fetch("/api/v1/tasks/" + answer.json().get("id").asText()).json();
    assertThat(task.get("name").asText()).isEqualTo("echo");
    assertThat(task.get("priority").asInt()).isEqualTo(70);
    assertThat(task.get("pool").asText()).isEqualTo("gpu");
    assertThat(task.get("labels").get("team").asText()).isEqualTo("data");
    assertThat(task.get("work").get("argv").get(1).asText()).isEqualTo("hi é 😀 \u007f");
    assertThat(task.get("work").get("env").get("A").asText()).isEqualTo("b");
    assertThat(task.get("work").get("on_worker_lost").asText()).isEqualTo("FAIL");
    assertThat(task.get("work").get("stall_timeout").asText()).isEqualTo("PT10M");
    assertThat(task.get("work").get("stop_grace").asText()).isEqualTo("PT0S");
    assertThat(task.get("strict").asBoolean()).isTrue();
    assertThat(
            Duration.between(
                Instant.parse(task.get("created_at").asText()),
                Instant.parse(task.get("deadline_at").asText())))
        .isEqualTo(Duration.ofHours(2));
    assertThat(task.get("crash_count").asInt()).isZero();
    assertThat(task.get("attempts").asInt()).isZero();
    assertThat(task.get("worker").isNull()).isTrue();
  }

  @Test
  void a_delayed_task_and_a_wait_say_until_when_they_wait() {
    var answer =
        api.post(
            "/api/v1/tasks",
            """
            {"tasks": [{"command": ["ls"], "delay": "1h"}, {"command": ["ls"], "run_at": "2199-01-01T01:00:00+01:00"},
             {"wait": {"for": "10m"}}]}\
            """);
    assertThat(answer.status()).isEqualTo(201);
    var accepted = answer.json().get("tasks");
    assertThat(accepted.findValuesAsText("state"))
        .containsExactly("PENDING", "PENDING", "DEFERRED");
    var delayed = api.fetch("/api/v1/tasks/" + accepted.get(0).get("id").asText()).json();
    assertThat(delayed.get("reason").asText()).isEqualTo("delayed");
    assertThat(
            Duration.between(
                Instant.parse(delayed.get("created_at").asText()),
                Instant.parse(delayed.get("not_before").asText())))
        .isEqualTo(Duration.ofHours(1));
    assertThat(delayed.get("waiting").get("reason").asText()).isEqualTo("time");
    assertThat(delayed.get("waiting").get("until")).isEqualTo(delayed.get("not_before"));
    var at = api.fetch("/api/v1/tasks/" + accepted.get(1).get("id").asText()).json();
    assertThat(at.get("reason").asText()).isEqualTo("run_at");
    assertThat(Instant.parse(at.get("not_before").asText()))
        .isEqualTo(Instant.parse("2199-01-01T00:00:00Z"));
    var waits = api.fetch("/api/v1/tasks/" + accepted.get(2).get("id").asText()).json();
    assertThat(waits.get("name").asText()).isEqualTo("wait");
    assertThat(waits.get("work").get("wait").get("for").asText()).isEqualTo("10m");
    assertThat(waits.get("waiting").get("reason").asText()).isEqualTo("time");
  }

  @Test
  void a_thousand_tasks_go_in_one_call_and_one_more_does_not() {
    var answer = api.post("/api/v1/tasks", bulk(1_000));
    assertThat(answer.status()).isEqualTo(201);
    var tasks = answer.json().get("tasks");
    assertThat(tasks).hasSize(1_000);
    assertThat(
            api.fetch("/api/v1/tasks/" + tasks.get(999).get("id").asText())
                .json()
                .get("name")
                .asText())
        .isEqualTo("t999");
    assertThat(api.store.count("task")).isEqualTo(1_000);
    var refused = api.post("/api/v1/tasks", bulk(1_001));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().get("errors").get(0).get("field").asText()).isEqualTo("tasks");
    assertThat(api.store.count("task")).isEqualTo(1_000);
  }

  @Test
  void the_same_key_gives_the_same_answer_and_another_body_a_conflict() {
    var first = api.post("/api/v1/tasks", ECHO, "Idempotency-Key", "k");
    var again =
        api.post("/api/v1/tasks", " {\"command\":[\"/bin/echo\",\"hi\"]}", "Idempotency-Key", "k");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.text()).isEqualTo(first.text());
    var other = api.post("/api/v1/tasks", "{\"command\": [\"ls\"]}", "Idempotency-Key", "k");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text()).contains("used before: k");
    assertThat(api.store.count("task")).isEqualTo(1);
  }

  @Test
  void the_order_of_fields_and_the_way_a_number_is_written_do_not_make_another_request() {
    var first =
        api.post(
            "/api/v1/tasks",
            """
            {"command": ["ls"], "retry": {"max": 1, "backoff": {"factor": 1.50, "max": "9m"}}, "labels": {"a": "1", "b": "2"}}\
            """,
            "Idempotency-Key",
            "order");
    var again =
        api.post(
            "/api/v1/tasks",
            """
            {"labels": {"b": "2", "a": "1"}, "retry": {"backoff": {"max": "9m", "factor": 1.5}, "max": 1}, "command": ["ls"]}\
            """,
            "Idempotency-Key",
            "order");
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(api.store.count("task")).isEqualTo(1);
  }

  @Test
  void one_header_for_tasks_of_two_tenants_is_refused_at_the_task_that_differs() {
    var answer =
        api.post(
            "/api/v1/tasks",
            "{\"tasks\": [{\"command\": [\"ls\"]}, {\"command\": [\"ls\"], \"tenant\":"
                + " \"other\"}]}",
            "Idempotency-Key",
            "tenants");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().get("errors").findValuesAsText("field")).containsExactly("tasks[1]");
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void a_hundred_errors_are_enough() {
    var answer =
        api.post(
            "/api/v1/tasks",
            "{\"tasks\": [" + "{\"command\": [\"ls\"], \"pool\": []},".repeat(999) + "7]}");
    assertThat(answer.status()).isEqualTo(422);
    var fields = answer.json().get("errors").findValuesAsText("field");
    assertThat(fields).hasSize(100).contains("tasks[0].pool", "tasks[99].pool");
  }

  @Test
  void keys_of_single_tasks_work_in_a_bulk() {
    var one = api.post("/api/v1/tasks", "{\"idempotency_key\": \"a\", \"command\": [\"ls\"]}");
    var bulk =
        api.post(
            "/api/v1/tasks",
            """
            {"tasks": [{"idempotency_key": "b", "command": ["ls"]}, {"idempotency_key": "a", "command": ["ls"]}]}\
            """);
    assertThat(bulk.json().get("tasks").get(1).get("id")).isEqualTo(one.json().get("id"));
    assertThat(api.store.count("task")).isEqualTo(2);
    var both =
        api.post(
            "/api/v1/tasks",
            "{\"idempotency_key\": \"c\", \"command\": [\"ls\"]}",
            "Idempotency-Key",
            "d");
    assertThat(both.status()).isEqualTo(422);
    assertThat(both.json().get("errors").get(0).get("field").asText()).isEqualTo("idempotency_key");
  }

  @Test
  void concurrent_submits_with_one_key_store_one_task() throws Exception {
    var answers = race(16, () -> api.post("/api/v1/tasks", ECHO, "Idempotency-Key", "race"));
    assertThat(answers).allMatch(answer -> answer.status() == 201);
    assertThat(answers.stream().map(Answer::text).distinct()).hasSize(1);
    assertThat(api.store.count("task")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                          | 422 | ''              | command
          {"comand": ["ls"]}                                          | 422 | comand          | command
          {"command": ["ls"], "preemptible": true}                    | 422 | preemptible     | reserved
          {"command": ["ls"], "deadline": "tomorrow"}                 | 422 | deadline        | duration
          {"command": ["ls"], "fencing": "lease"}                     | 422 | fencing         | strict
          {"command": ["ls"], "script": "ls"}                         | 422 | script          | both
          {"command": "ls"}                                           | 422 | command         | list
          {"command": ["ls"], "priority": 101}                        | 422 | priority        | 100
          {"command": ["ls"], "execution_timeout": "5 parsecs"}       | 422 | execution_timeout | duration
          {"command": ["ls"], "stop_grace": "61m"}                    | 422 | stop_grace      | at most 1h
          {"command": ["ls"], "stall_timeout": "999ms"}               | 422 | stall_timeout   | at least 1s
          {"command": ["ls"], "depends_on": ["a"]}                    | 422 | depends_on      | workflow
          {"command": ["ls"], "trigger_rule": "always"}               | 422 | trigger_rule    | workflow
          {"command": ["ls"], "name": "No Spaces"}                    | 422 | name            | a-z
          {"command": ["ls"], "tenant": "B A D"}                      | 422 | tenant          | a-z
          {"command": ["ls", "${{ params.x }}"]}                      | 422 | command[1]      | workflows
          {"command": ["ls", "${{ 1 + 1 }}"]}                         | 422 | command[1]      | expressions
          {"command": ["ls"], "env": {"A": "${{ run.id }}"}}          | 422 | env.A           | expressions
          {"command": ["a\\u0000b"]}                                  | 422 | command[0]      | NUL
          {"command": ["ls"], "idempotency_key": ""}                  | 422 | idempotency_key | printable
          {"tasks": [{"command": ["ls"]}, {"command": ["ls"], "retry": {"backoff": {"initial": "x"}}}]} | 422 | tasks[1].retry.backoff.initial | duration
          {"command": ["ls"], "retry": {"bakoff": {}}}                | 422 | retry.bakoff    | did you mean
          {"command": ["ls"], "env": {"A": {"secret": "x"}}}          | 422 | env.A.secret    | reserved
          {"command": ["ls"], "idempotency_key": 7}                   | 422 | idempotency_key | printable
          {"tasks": []}                                               | 422 | tasks           | 1 to 1000
          {"tasks": [{"command": ["ls"]}, 7]}                         | 422 | tasks[1]        | object
          {"tasks": [{"command": ["ls"]}, {"command": ["ls"], "pool": 7.5}]} | 422 | tasks[1].pool |
          {"tasks": [{"command": ["ls"]}], "tenant": "x"}             | 422 | tenant          | each task
          [1]                                                         | 400 |                 | object
          {"command": ["ls"]                                          | 400 |                 | line 1, column
          {"command": ["ls"], "command": ["ls"]}                      | 400 |                 | line 1, column
          {"command": ["ls"]} x                                       | 400 |                 | line 1, column
          ''                                                          | 400 |                 | empty
          """)
  void a_bad_submit_is_refused_and_nothing_is_stored(
      String body, int status, String field, String message) {
    var answer = api.post("/api/v1/tasks", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("content-type")).startsWith("application/problem+json");
    if (field != null) {
      assertThat(answer.json().get("errors").findValuesAsText("field"))
          .as(answer.text())
          .contains(field);
    }
    assertThat(answer.text()).contains(message == null ? "" : message);
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void deep_nesting_is_refused() {
    var answer = api.post("/api/v1/tasks", "[".repeat(100_000));
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("json-depth-max");
  }

  @Test
  void other_types_and_encodings_of_a_body_are_refused() {
    assertThat(api.postYaml("/api/v1/tasks", ECHO).status()).isEqualTo(415);
    assertThat(api.postYaml("/api/v1/tasks", "command: [x]").status()).isEqualTo(415);
    var zipped = api.post("/api/v1/tasks", ECHO, "Content-Encoding", "gzip");
    assertThat(zipped.status()).isEqualTo(415);
    assertThat(api.store.stored()).isZero();
  }

  private static String bulk(int tasks) {
    return IntStream.range(0, tasks)
        .mapToObj(i -> "{\"name\": \"t" + i + "\", \"command\": [\"/bin/true\"]}")
        .collect(Collectors.joining(",", "{\"tasks\": [", "]}"));
  }

  private static <T> List<T> race(int threads, Callable<T> act) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var futures = IntStream.range(0, threads).mapToObj(i -> executor.submit(act)).toList();
      var results = new ArrayList<T>();
      for (var future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
