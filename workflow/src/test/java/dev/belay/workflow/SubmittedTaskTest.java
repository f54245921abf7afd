package dev.belay.workflow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.Unique;
import dev.belay.workflow.tree.JsonReader;
import dev.belay.workflow.tree.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A submitted task obeys the table of keys, and each problem names its field. */
class SubmittedTaskTest {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                    | '': a task needs 'command', 'script' or 'wait'
          7                                                     | '': a task must be a mapping such as {"command":
          {"command": ["ls", 1, null]}                          | command[2]: each of 'command' must be text, not nothing
          {"command": ["ls", {"a": 1}]}                         | command[1]: each of 'command' must be text, not a mapping
          {"command": []}                                       | command: 'command' is empty
          {"command": [" "]}                                    | command[0]: the program of 'command' is empty
          {"command": ["ls", "${{ run.id }}"]}                  | command[1]: expressions ${{ }} are only for workflows
          {"command": ["ls", "${{"]}                            | command[1]: expressions ${{ }} are only for workflows
          {"script": "echo ${{ run.id }}"}                      | script: a script cannot hold expressions
          {"command": ["ls"], "topic": "Etl Load"}              | topic: 'topic' must be a topic of 1 to 100 characters
          {"command": ["ls"], "requires": ["gpu", "gpu"]}       | requires[1]: 'gpu' is listed twice in 'requires'
          {"command": ["ls"], "resources": {"memory": "2GB"}}   | resources.memory: 'memory' must be a size with its unit
          {"command": ["ls"], "concurrency": {"key": "${{ run.id }}"}} | concurrency.key: expressions ${{ }} are only for workflows
          {"command": ["ls"], "concurrency": {"key": ""}}       | concurrency.key: the 'key' of 'concurrency' is empty
          {"command": ["ls"], "rate_limit": {"key": "a", "max": 0, "per": "1s"}} | rate_limit.max: 'max' must be a whole number from 1
          {"wait": {"for": "1s"}, "slots": 2}                   | slots: 'slots' is for tasks that run on a worker
          {"script": "ls", "command": ["ls"]}                   | script: a task has either 'command' or 'script'
          {"command": ["ls"], "retry": 3}                       | retry: 'retry' must be a mapping
          {"command": ["ls"], "retry": {"max": "3"}}            | retry.max: 'max' must be a whole number from 0 to 1000, not '3'
          {"command": ["ls"], "retry": {"max": 1.0}}            | retry.max: 'max' must be a whole number from 0 to 1000, not 1.0
          {"command": ["ls"], "retry": {"max": 1e3}}            | retry.max: 'max' must be a whole number from 0 to 1000, not 1e3
          {"command": ["ls"], "retry": {"max": 99999999999999999999}} | retry.max: 'max' must be a whole number from 0 to 1000
          {"command": ["ls"], "retry": {"backoff": {"initial": "soon"}}} | retry.backoff.initial: 'initial' must be a duration
          {"command": ["ls"], "retry": {"backoff": {"factor": 0.5}}} | retry.backoff.factor: 'factor' must be a number from 1 to 100
          {"command": ["ls"], "retry": {"backoff": {"factor": 1e999}}} | retry.backoff.factor: 'factor' must be a number from 1 to 100
          {"command": ["ls"], "retry": {"backoff": {"factor": true}}} | retry.backoff.factor: 'factor' must be a number from 1 to 100
          {"command": ["ls"], "retry": {"backoff": {"jitter": "yes"}}} | retry.backoff.jitter: 'jitter' must be true or false
          {"command": ["ls"], "retry": {"backof": {}}}          | retry.backof: unknown key 'backof' in 'retry'; did you mean 'backoff'?
          {"command": ["ls"], "retry": {"on": {"lost": {}}}}    | retry.on.lost: 'max' is missing in 'lost'
          {"command": ["ls"], "retry": {"on": {"lost": {"max": -1}}}} | retry.on.lost.max: 'max' must be a whole number
          {"command": ["ls"], "unique": "k"}                    | unique: 'unique' must be a mapping such as
          {"command": ["ls"], "unique": {}}                     | unique: 'key' is missing in 'unique'
          {"command": ["ls"], "unique": {"key": " "}}           | unique.key: 'key' is empty
          {"command": ["ls"], "unique": {"key": "${{ run.id }}"}} | unique.key: expressions ${{ }} are only for workflows
          {"command": ["ls"], "unique": {"key": "k", "while": "open"}} | unique.while: 'while' must be one of queued, unfinished, not 'open'
          {"command": ["ls"], "unique": {"key": "k", "while": {"for": "0s"}}} | unique.while.for: 'for' must be a duration
          {"command": ["ls"], "unique": {"key": "k", "on_conflict": "ignore"}} | unique.on_conflict: 'on_conflict' must be one of reject, existing, replace
          {"command": ["ls"], "priority": 101}                  | priority: 'priority' must be a whole number from 1 to 100, not 101
          {"command": ["ls"], "priority": null}                 | priority: 'priority' must be a whole number from 1 to 100, not nothing
          {"command": ["ls"], "env": {"A": {"secret": "s"}}}    | env.A.secret: 'secret' for 'A' is reserved
          {"command": ["ls"], "env": {"A": [1]}}                | env.A: 'A' must be text, not a list
          {"command": ["ls"], "env": {"a.b": "c"}}              | env.a.b: key 'a.b' in 'env' must be an environment name
          {"command": ["ls"], "env": {"": "c"}}                 | env.: key '' in 'env' must be an environment name
          {"command": ["ls"], "env": {"[0]": "c"}}              | env.[0]: key '[0]' in 'env' must be an environment name
          {"command": ["ls"], "env": {"\\ud83d\\ude00": "c"}}   | env.😀: key '😀' in 'env' must be an environment name
          {"command": ["ls"], "env": {"BELAY_X": "c"}}          | env.BELAY_X: 'BELAY_X': Belay itself sets
          {"command": ["ls"], "env": {"A": "a\\u0000"}}         | env.A: must not contain NUL or half a character
          {"command": ["ls"], "env": {"A": "\\ud83d"}}          | env.A: must not contain NUL or half a character
          {"command": ["ls"], "env": {"\\u0000": "a"}}          | env: has a name that must not contain NUL or half a character
          {"command": ["ls"], "x-note": {"deep": ["\\u0000"]}}  | x-note.deep[0]: must not contain NUL or half a character
          {"command": ["ls"], "labels": {"UP": "x"}}            | labels.UP: key 'UP' in 'labels' must be a label name
          {"command": ["ls"], "exit_codes": {"0": "fatal"}}     | exit_codes.0: key '0' in 'exit_codes' must be an exit code
          {"command": ["ls"], "exit_codes": {"7": "fatl"}}      | exit_codes.7: '7' must be one of skipped, fatal, unavailable, not 'fatl'; did you mean 'fatal'?
          {"command": ["ls"], "delay": "soon"}                  | delay: 'delay' must be a duration
          {"command": ["ls"], "delay": "3651d"}                 | delay: 'delay' must be a duration
          {"command": ["ls"], "run_at": "2026-12-24T18:00:00"}  | run_at: 'run_at' must be a time with its zone, such as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00, in the years 1970 to 2199, not '2026-12-24T18:00:00'; it has no zone: add Z for UTC, or an offset
          {"command": ["ls"], "run_at": "2226-12-24T18:00:00Z"} | run_at: 'run_at' must be a time
          {"command": ["ls"], "run_at": ["x"]}                  | run_at: 'run_at' must be a time
          {"command": ["ls"], "run_at": "2026-12-24T18:00:00Z", "delay": "1s"} | run_at: a task has either 'delay' or 'run_at', not both
          {"wait": {}}                                          | wait: 'wait' needs either 'for' or 'until'
          {"wait": {"for": "1s", "until": "2026-12-24T18:00:00Z"}} | wait: 'wait' needs either 'for' or 'until'
          {"wait": {"until": "${{ run.id }}"}}                  | wait.until: expressions ${{ }} are only for workflows
          {"wait": {"for": "1s"}, "command": ["ls"]}            | wait: a task has either 'command' or 'wait', not both
          {"wait": {"for": "1s"}, "delay": "1s"}                | delay: a task with 'wait' waits for one time
          {"wait": {"for": "1s"}, "pool": "x"}                  | pool: 'pool' is for tasks that run on a worker
          {"command": ["ls"], "for_each": [1]}                  | for_each: 'for_each' is reserved, not supported yet; remove it
          {"command": ["ls"], "when": "x"}                      | when: is only for tasks of a workflow; register a workflow
          {"command": ["ls"], "retries": 3}                     | retries: unknown key 'retries' in a task; write 'retry: {max: 3}'
          {"command": ["ls"], "tenat": "a"}                     | tenat: unknown key 'tenat' in a task; did you mean 'tenant'?
          {"command": ["ls"], "tenant": "A B"}                  | tenant: 'tenant' must be a name
          """)
  void a_problem_names_its_field(String body, String expected) {
    var parts = expected.split(": ", 2);
    var field = parts[0].equals("''") ? "" : parts[0];
    assertThat(problems(body))
        .as(body)
        .anySatisfy(
            problem -> {
              assertThat(problem.at().shown()).isEqualTo(field);
              assertThat(problem.message()).startsWith(parts[1]);
            });
  }

  @Test
  void unique_has_defaults_and_a_long_form() {
    assertThat(unique("{\"key\": \"k\"}"))
        .isEqualTo(new Unique("k", Unique.Scope.UNFINISHED, null, Unique.OnConflict.REJECT));
    assertThat(unique("{\"key\": \"k\", \"while\": \"queued\", \"on_conflict\": \"existing\"}"))
        .isEqualTo(new Unique("k", Unique.Scope.QUEUED, null, Unique.OnConflict.EXISTING));
    assertThat(unique("{\"key\": 7, \"while\": {\"for\": \"1h\"}, \"on_conflict\": \"replace\"}"))
        .isEqualTo(
            new Unique("7", Unique.Scope.FOR, Duration.ofHours(1), Unique.OnConflict.REPLACE));
  }

  private static Unique unique(String json) {
    return requireNonNull(read("{\"command\": [\"ls\"], \"unique\": %s}".formatted(json)).unique());
  }

  @Test
  void problems_come_in_the_order_of_the_request_and_are_bounded() {
    assertThat(problems("{\"pool\": 7.5, \"env\": {\"A\": [], \"B\": []}, \"priority\": 0}"))
        .extracting(problem -> problem.at().shown())
        .containsExactly("", "pool", "env.A", "env.B", "priority");
    var many = new StringBuilder("{\"command\": [\"ls\"]");
    for (int i = 0; i < 10_000; i++) {
      many.append(", \"k").append(i).append("\": 1");
    }
    assertThat(problems(many + "}"))
        .hasSize(Problems.REPORTED_MAX)
        .first()
        .satisfies(problem -> assertThat(problem.at().shown()).isEqualTo("k0"));
  }

  /** Before there was a limit, 100,000 searches took 13 s. */
  @Test
  void unknown_keys_that_are_not_reported_cost_no_search() {
    var many = new StringBuilder("{\"command\": [\"ls\"]");
    for (int i = 0; i < 100_000; i++) {
      many.append(", \"execution_timeout").append(i).append("\": 1");
    }
    var threads = ManagementFactory.getThreadMXBean();
    var start = threads.getCurrentThreadCpuTime();
    var problems = problems(many + "}");
    var took = Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    assertThat(took).as("processor time").isLessThan(Duration.ofSeconds(4));
    assertThat(problems)
        .hasSize(Problems.REPORTED_MAX)
        .allSatisfy(
            problem -> assertThat(problem.message()).contains("did you mean 'execution_timeout'?"));
  }

  @Test
  void a_long_path_is_cut() {
    var name = "n".repeat(10_000);
    assertThat(problems("{\"command\": [\"ls\"], \"env\": {\"" + name + "\": [[]]}}"))
        .allSatisfy(problem -> assertThat(problem.at().shown()).hasSizeLessThan(310));
  }

  @Test
  void duplicate_names_and_a_second_value_are_not_json() {
    for (var body : List.of("{\"env\": {\"A\": \"1\", \"A\": \"2\"}}", "{} {}", "{\"a\": ")) {
      Assertions.assertThatThrownBy(() -> tree(body, new Problems("")))
          .as(body)
          .hasCauseInstanceOf(JsonProcessingException.class);
    }
  }

  @Test
  void what_is_given_is_kept_and_the_rest_has_its_default() {
    var task =
        read(
            """
            {"command": ["/opt/My Tool", 8080, true, 1.50], "env": {"PORT": 8080}, "labels": {"team": "data"},
             "retry": {"max": 2, "backoff": {"initial": "1s", "factor": 3}}, "exit_codes": {"7": "fatal"},
             "deadline": "1h", "idempotency_key": 7, "x-note": {"any": [1]}}
            """);
    assertThat(task.name()).isEqualTo("my-tool");
    assertThat(task.tenant()).isEqualTo("default");
    assertThat(task.queue()).isEqualTo(QueueSpec.DEFAULT);
    assertThat(task.priority()).isEqualTo(50);
    assertThat(task.deadline()).isEqualTo(Duration.ofHours(1));
    assertThat(task.labels()).isEqualTo(Map.of("team", "data"));
    assertThat(task.key()).isInstanceOf(Node.Scalar.class);
    assertThat(SpecCodec.workToJson(requireNonNull(task.work())))
        .isEqualTo(
            "{\"argv\":[\"/opt/My Tool\",\"8080\",\"true\",\"1.50\"],\"env\":{\"PORT\":\"8080\"},"
                + "\"retry\":{\"max\":2,\"lost_max\":3,\"initial\":\"PT1S\",\"factor\":3.0,"
                + "\"backoff_max\":\"PT5M\",\"jitter\":true},"
                + "\"exit_codes\":{\"7\":\"FATAL\",\"99\":\"SKIPPED\"}}");
    assertThat(SpecCodec.workToJson(requireNonNull(read("{\"script\": \"ls\"}").work())))
        .isEqualTo("{\"script\":\"ls\"}");
  }

  @Test
  void a_number_that_is_used_as_text_stays_as_written() {
    var task =
        read("{\"command\": [\"echo\", 1.10, 1e3, -0], \"env\": {\"V\": 1.50, \"N\": 1e999}}");
    var work = requireNonNull(task.work());
    assertThat(work.argv()).containsExactly("echo", "1.10", "1e3", "-0");
    assertThat(work.env()).containsEntry("V", "1.50").containsEntry("N", "1e999");
  }

  /** A request may use exactly the keys that a file's task may use. */
  @Test
  void a_request_knows_the_keys_of_a_task_in_a_file() {
    assertThat(Keys.SUBMITTED_TASK.keys().keySet())
        .containsAll(Keys.TASK.keys().keySet())
        .hasSize(Keys.TASK.keys().size() + 2);
    Keys.TASK
        .keys()
        .forEach(
            (name, key) ->
                assertThat(requireNonNull(Keys.SUBMITTED_TASK.keys().get(name)).shape())
                    .isSameAs(key.shape()));
  }

  @Test
  void the_condition_of_retries_is_the_only_expression() {
    var task =
        read("{\"command\": [\"x\"], \"retry\": {\"max\": 1, \"if\": \"${{ attempt < 3 }}\"}}");
    assertThat(requireNonNull(task.work()).policy().retry().onlyIf())
        .isEqualTo(new Template("${{ attempt < 3 }}"));
    assertThat(problems("{\"command\": [\"x\"], \"retry\": {\"if\": \"${{ attempt }}\"}}"))
        .singleElement()
        .asString()
        .contains("'if' must be true or false");
  }

  private static SubmittedTask read(String body) {
    var problems = new Problems("");
    var task = new SubmittedTask.Reader(problems).read(tree(body, problems));
    assertThat(problems.list()).isEmpty();
    return requireNonNull(task);
  }

  private static List<Problem> problems(String body) {
    var problems = new Problems("");
    assertThat(new SubmittedTask.Reader(problems).read(tree(body, problems))).isNull();
    return problems.list();
  }

  private static Node tree(String body, Problems problems) {
    try (var json = FACTORY.createParser(body)) {
      return requireNonNull(JsonReader.read(json, problems::add));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_task_may_wait_for_its_time() {
    assertThat(read("{\"command\": [\"ls\"]}").timer()).isNull();
    assertThat(read("{\"command\": [\"ls\"], \"delay\": \"1m30s\"}").timer())
        .isEqualTo(DueTime.after(Duration.ofSeconds(90)));
    assertThat(read("{\"command\": [\"ls\"], \"run_at\": \"2026-12-24T18:00:00+01:00\"}").timer())
        .isEqualTo(DueTime.at(Instant.parse("2026-12-24T17:00:00Z")));
  }

  @Test
  void a_task_that_only_waits_has_no_work() {
    var task = read("{\"wait\": {\"for\": \"10m\"}, \"deadline\": \"1h\"}");
    assertThat(task.name()).isEqualTo("wait");
    assertThat(task.work()).isNull();
    assertThat(task.timer()).isEqualTo(DueTime.after(Duration.ofMinutes(10)));
    assertThat(SpecCodec.waitToJson(DueTime.after(Duration.ofMinutes(10))))
        .isEqualTo("{\"wait\":{\"for\":\"10m\"}}");
  }
}
