package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkflowFileTest {

  private static final String FULL =
      """
      version: 1
      name: etl
      tenant: data
      description: Nightly load
      params:
        day: {type: date, default: "${{ run.logical_date }}"}
        mode: {type: enum, values: [full, daily], default: full}
        limits: {type: json, default: {rows: [1, 2.5, true, null, x]}}
      defaults: {pool: big, retry: {max: 2, backoff: {factor: 3}}, env: {A: default, Z: "9"}}
      tasks:
        - name: check
          script: |
            echo hi
        - name: load
          command: [load, --day, "${{ params.day }}", 5, yes, 1.10]
          depends_on: [check]
          trigger_rule: none_failed
          when: "${{ params.mode == 'full' }}"
          env: {A: plain, B: "on ${{ params.day }}", PORT: 8080, EMPTY: ""}
          retry: {max: 3, backoff: {initial: 500ms, max: 1h30m, jitter: false}, on: {lost: {max: 0}, crash: {max: 1}, unavailable: {max: 2}}}
          exit_codes: {42: fatal}
          execution_timeout: 30m
          deadline: 2h
          fencing: strict
          on_worker_lost: fail
          priority: 100
          pool: small
          labels: {team: data}
      """;

  /** Labels of 200 KB in 10,000 tasks would be a spec of 2 GB. */
  @Test
  void defaults_and_aliases_that_would_make_a_huge_spec_are_refused() {
    var labels = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      labels.append("l").append(i).append(": ").append("x".repeat(4_000)).append(", ");
    }
    var tasks = new StringBuilder();
    var params = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      tasks.append("  - {name: t").append(i).append(", command: [x]}\n");
      params.append("  p").append(i).append(": {type: enum, values: *big}\n");
    }
    var words = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      words.append("y".repeat(150)).append(i).append(", ");
    }
    for (String file :
        List.of(
            "name: w\ndefaults: {labels: {" + labels + "}}\ntasks:\n" + tasks,
            "name: w\nx-big: &big [" + words + "]\nparams:\n" + params + "tasks:\n" + tasks)) {
      assertThat(ParsedFiles.problems(file))
          .singleElement()
          .asString()
          .contains("with all aliases and defaults written out")
          .contains("split the workflow");
    }
  }

  @Test
  void every_supported_key_reaches_the_spec() {
    WorkflowSpec spec = ParsedFiles.valid(FULL);

    assertThat(spec.tenant()).isEqualTo("data");
    assertThat(spec.name()).isEqualTo("etl");
    assertThat(spec.description()).isEqualTo("Nightly load");
    assertThat(spec.params().get("day"))
        .isEqualTo(
            new ParamSpec(ParamSpec.Type.DATE, new Template("${{ run.logical_date }}"), List.of()));
    assertThat(spec.params().get("mode"))
        .isEqualTo(new ParamSpec(ParamSpec.Type.ENUM, "full", List.of("full", "daily")));
    assertThat(spec.params().get("limits"))
        .isEqualTo(
            new ParamSpec(
                ParamSpec.Type.JSON,
                Map.of("rows", Arrays.asList(1L, 2.5, true, null, "x")),
                List.of()));
    assertThat(spec.tasks().get(1))
        .isEqualTo(
            new TaskSpec(
                "load",
                new Action.Command(
                    templates("load", "--day", "${{ params.day }}", "5", "yes", "1.10")),
                List.of("check"),
                TriggerRule.NONE_FAILED,
                new Template("${{ params.mode == 'full' }}"),
                Map.of(
                    "A", new Template("plain"),
                    "Z", new Template("9"),
                    "B", new Template("on ${{ params.day }}"),
                    "PORT", new Template("8080"),
                    "EMPTY", new Template("")),
                new RunPolicy(
                    new RetryPolicy(
                        3,
                        new RetryPolicy.Backoff(
                            Duration.ofMillis(500), 3, Duration.ofMinutes(90), false),
                        0,
                        1,
                        2,
                        null),
                    Map.of(42, RunPolicy.ExitMeaning.FATAL, 99, RunPolicy.ExitMeaning.SKIPPED),
                    Duration.ofMinutes(30),
                    new RunPolicy.WorkerLoss(
                        RunPolicy.OnWorkerLost.FAIL, RunPolicy.Fencing.STRICT)),
                100,
                "small",
                Map.of("team", "data"),
                Duration.ofHours(2)));
  }

  @Test
  void defaults_are_merged_into_a_task_that_says_nothing() {
    TaskSpec check = ParsedFiles.validTask(FULL);

    assertThat(check.action()).isEqualTo(new Action.Script("echo hi\n"));
    assertThat(check.pool()).isEqualTo("big");
    assertThat(check.policy().retry().max()).isEqualTo(2);
    assertThat(check.env()).containsOnlyKeys("A", "Z");
  }

  @Test
  void task_without_anything_else_gets_the_defaults_of_the_model() {
    assertThat(ParsedFiles.validTask("task: {command: [x]}"))
        .isEqualTo(
            new TaskSpec(
                "task",
                new Action.Command(templates("x")),
                List.of(),
                TriggerRule.ALL_SUCCESS,
                null,
                Map.of(),
                RunPolicy.DEFAULT,
                TaskSpec.PRIORITY_DEFAULT,
                TaskSpec.POOL_DEFAULT,
                Map.of(),
                null));
  }

  @Test
  void single_task_takes_the_workflow_name_from_the_file() {
    assertThat(nameFor("dir/My Load.v2.yaml")).isEqualTo("my-load");
    assertThat(nameFor("_x.yaml")).isEqualTo("x");
    assertThat(nameFor("...")).isEqualTo("task");
    assertThat(nameFor("")).isEqualTo("task");
    assertThat(ParsedFiles.valid("name: given\ntask: {name: t, command: [x]}").name())
        .isEqualTo("given");
  }

  private static String nameFor(String fileName) {
    Parsed parsed = WorkflowFile.parse(fileName, "task: {command: [x]}");
    return ((Parsed.Valid) parsed).spec().name();
  }

  @Test
  void json_is_read_like_yaml() {
    String json =
        "{\n\t\"name\":\"w\",\"tasks\":[{\"name\":\"a\",\"command\":[\"x\\/y\",\"\\ud83d\\ude00\"],"
            + "\"priority\":7}]\n}";
    assertThat(ParsedFiles.validTask(json).action())
        .isEqualTo(new Action.Command(templates("x/y", "😀")));
    assertThat(ParsedFiles.problems("{\n\t\"name\":\"w\",\n\t\"task\":{\"comand\":[]}}"))
        .containsExactly("w.yaml:3:10: unknown key 'comand' in a task; did you mean 'command'?");
  }

  @Test
  void anchors_aliases_and_merge_keys_work_and_x_keys_are_ignored() {
    WorkflowSpec spec =
        ParsedFiles.valid(
            """
            name: w
            x-base: &base {command: [x], priority: 1, pool: p}
            x-more: &more {priority: 2, labels: &l {a: b}}
            tasks:
              - {name: a, <<: *base, priority: 9}
              - {name: b, <<: [*more, *base], x-note: whatever}
              - {name: c, command: [y], labels: *l}
            """);
    assertThat(spec.tasks()).extracting(TaskSpec::priority).containsExactly(9, 2, 50);
    assertThat(spec.tasks()).extracting(TaskSpec::pool).containsExactly("p", "p", "default");
    assertThat(spec.tasks().get(2).labels()).isEqualTo(Map.of("a", "b"));
  }

  @Test
  void byte_order_mark_and_windows_line_ends_are_harmless() {
    TaskSpec task =
        ParsedFiles.validTask("\ufeffname: w\r\ntask:\r\n  script: |\r\n    a\r\n    b\r\n");
    assertThat(task.action()).isEqualTo(new Action.Script("a\nb\n"));
  }

  @Test
  void expression_may_hold_braces_and_quotes() {
    ParsedFiles.valid("task: {command: [x, \"${{ {'a': {'}}': 1}}['a'] }} and ${{ '}}' }}\"]}");
  }

  @Test
  void large_graph_is_read_quickly_and_without_recursion() {
    StringBuilder text = new StringBuilder("name: w\ntasks:\n  - {name: t0, command: [x]}\n");
    for (int i = 1; i < WorkflowSpec.TASKS_MAX; i++) {
      text.append(
          "  - {name: t%d, command: [x, \"${{ run.id }}\"], depends_on: [t%d]}\n"
              .formatted(i, i - 1));
    }
    assertThat(ParsedFiles.valid(text.toString()).tasks()).hasSize(WorkflowSpec.TASKS_MAX);
  }

  private static List<Template> templates(String... texts) {
    return List.of(texts).stream().map(Template::new).toList();
  }

  @Test
  void a_task_may_wait_and_defaults_for_workers_do_not_concern_it() {
    WorkflowSpec spec =
        ParsedFiles.valid(
            """
            name: w
            defaults: {pool: gpu, priority: 9, retry: {max: 2}, env: {A: b}, fencing: strict, labels: {team: x}}
            tasks:
              - {name: a, wait: {for: 10m}}
              - {name: b, wait: {until: "${{ run.logical_date }}"}, depends_on: [a], deadline: 1h}
            """);
    TaskSpec a = spec.tasks().getFirst();
    assertThat(a.action()).isEqualTo(new Action.Wait(Duration.ofMinutes(10), null));
    assertThat(a.pool()).isEqualTo("default");
    assertThat(a.env()).isEmpty();
    assertThat(a.policy()).isEqualTo(RunPolicy.DEFAULT);
    assertThat(a.labels()).containsEntry("team", "x");
    assertThat(spec.tasks().get(1).action())
        .isEqualTo(new Action.Wait(null, new Template("${{ run.logical_date }}")));
    assertThat(SpecCodec.fromJson(SpecCodec.toJson(spec))).isEqualTo(spec);
  }
}
