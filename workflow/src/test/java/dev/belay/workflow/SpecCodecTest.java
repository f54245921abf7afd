package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpecCodecTest {

  @Test
  void workflow_survives_the_round_trip_exactly() {
    WorkflowSpec spec =
        ParsedFiles.valid(
            """
            name: etl
            tenant: data
            description: "Nightly \\"load\\"\\n\\u0001 😀"
            run: {max_active: 3, max_tasks: 7}
            params:
              a: {type: date, default: "${{ run.logical_date }}"}
              b: {type: enum, values: [x, y]}
              c: {type: json, default: {z: [1, 2.5, true, null, {k: v}], a: 1}}
              d: {type: float, default: 2}
              e: {type: string, default: "5"}
              g: {type: json, default: text}
            tasks:
              - {name: z, script: "#!/bin/bash\\nx"}
              - name: a
                command: [x, "${{ params.a }}", ""]
                depends_on: [z]
                trigger_rule: all_done
                when: "${{ true }}"
                env: {Z: "1", A: "2"}
                retry: {max: 3, backoff: {initial: 1ms, factor: 1.5, max: 1d, jitter: false}, on: {lost: {max: 7}, crash: {max: 0}, unavailable: {max: 2}}, if: "${{ attempt < 3 }}"}
                exit_codes: {99: fatal, 1: skipped, 75: unavailable}
                execution_timeout: 1h
                stall_timeout: 10m
                stop_grace: 0s
                deadline: 1d
                fencing: strict
                on_worker_lost: fail
                priority: 1
                pool: p
                labels: {z: "1", a: "2"}
              - {name: m, command: [x], retry: {max: 1}}
              - name: q
                command: [x]
                topic: etl.load
                pool: default
                requires: [ssd, gpu]
                slots: 4
                resources: {memory: 3GiB, cpu: 0.25}
                concurrency: {key: "k-${{ params.e }}", limit: 9, on_conflict: cancel_running}
                rate_limit: {key: api, max: 10, per: 1m30s}
              - {name: r, command: [x], topic: t, concurrency: {key: k}}
            """);
    WorkflowSpec back = SpecCodec.fromJson(SpecCodec.toJson(spec));

    assertThat(back).isEqualTo(spec);
    assertThat(back.tasks().get(1).env().keySet()).containsExactly("Z", "A");
    assertThat(back.params().keySet()).containsExactly("a", "b", "c", "d", "e", "g");
    assertThat(SpecCodec.toJson(back)).isEqualTo(SpecCodec.toJson(spec));
  }

  @Test
  void work_survives_the_round_trip_exactly() {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("Z", "1\u0000\n\ud800");
    env.put("A", "");
    RunPolicy policy =
        new RunPolicy(
            new RetryPolicy(
                2,
                new RetryPolicy.Backoff(Duration.ofNanos(1), 0.1, Duration.ofDays(9), false),
                0,
                9,
                8,
                null),
            Map.of(),
            Duration.ofNanos(1_500_000_001),
            new RunPolicy.WorkerLoss(RunPolicy.OnWorkerLost.RETRY, RunPolicy.Fencing.STRICT),
            new RunPolicy.Stopping(Duration.ofNanos(7), Duration.ofHours(1)));
    for (Work work :
        List.of(
            new Work(List.of("/bin/echo", "", "a b"), null, env, policy),
            new Work(List.of(), "echo\n", Map.of(), RunPolicy.DEFAULT))) {
      assertThat(SpecCodec.workFromJson(SpecCodec.workToJson(work))).isEqualTo(work);
    }
  }

  @Test
  void ordinary_work_is_small() {
    Work work = new Work(List.of("/bin/true"), null, Map.of(), RunPolicy.DEFAULT);
    assertThat(SpecCodec.workToJson(work)).isEqualTo("{\"argv\":[\"/bin/true\"]}");
  }

  /** Also when other keys of the same group were written. */
  @Test
  void what_was_stored_before_a_key_existed_has_its_default() {
    String work = "{\"argv\":[\"x\"],\"retry\":{\"max\":2,\"lost_max\":1}}";
    assertThat(SpecCodec.workFromJson(work).policy())
        .isEqualTo(
            new RunPolicy(
                new RetryPolicy(2, RetryPolicy.Backoff.DEFAULT, 1),
                RunPolicy.EXIT_CODES_DEFAULT,
                null,
                RunPolicy.WorkerLoss.DEFAULT));
    assertThat(SpecCodec.workToJson(SpecCodec.workFromJson(work))).isEqualTo(work);
    String spec =
        "{\"tenant\":\"t\",\"name\":\"n\"," + "\"tasks\":[{\"name\":\"a\",\"command\":[\"x\"]}]}";
    assertThat(SpecCodec.fromJson(spec).tasks().getFirst().deadline()).isNull();
    assertThat(SpecCodec.fromJson(spec).tasks().getFirst().policy()).isEqualTo(RunPolicy.DEFAULT);
    assertThat(SpecCodec.toJson(SpecCodec.fromJson(spec))).isEqualTo(spec);
  }

  @Test
  void fields_of_a_newer_version_are_ignored() {
    assertThat(SpecCodec.workFromJson("{\"new\":{\"x\":[1]},\"argv\":[\"x\"]}").argv())
        .containsExactly("x");
    assertThat(
            SpecCodec.fromJson(
                    "{\"tenant\":\"t\",\"name\":\"n\",\"new\":1,"
                        + "\"tasks\":[{\"name\":\"a\",\"command\":[\"x\"],\"newer\":null}]}")
                .tasks())
        .hasSize(1);
  }

  @Test
  void foreign_text_is_a_bug_and_throws() {
    for (String text : List.of("", "{", "[]", "5", "{\"argv\":5}", "{}", "{\"argv\":[\"x\"]} 1")) {
      assertThatIllegalArgumentException().isThrownBy(() -> SpecCodec.workFromJson(text));
    }
  }

  @Test
  void random_triggers_and_limits_survive_the_round_trip_and_have_one_text() {
    for (int seed = 0; seed < 2_000; seed++) {
      WorkflowSpec spec = new SpecMaker(seed).workflow();
      String json = SpecCodec.toJson(spec);
      WorkflowSpec back = SpecCodec.fromJson(json);
      assertThat(back).as("seed " + seed).isEqualTo(spec);
      assertThat(SpecCodec.toJson(back)).isEqualTo(json);
      for (TriggerSpec trigger : spec.triggers()) {
        String text = SpecCodec.triggerToJson(trigger);
        assertThat(SpecCodec.triggerFromJson(text)).isEqualTo(trigger);
        assertThat(json).contains(text);
      }
    }
  }

  @Test
  void an_ordinary_trigger_is_small_and_older_specs_have_none() {
    WorkflowSpec spec =
        ParsedFiles.valid("triggers: [{cron: \"0 2 * * *\"}]\ntask: {command: [x]}");
    assertThat(SpecCodec.triggerToJson(spec.triggers().getFirst()))
        .isEqualTo("{\"name\":\"cron 0 2 * * *\",\"cron\":\"0 2 * * *\"}");
    assertThat(SpecCodec.fromJson("{\"tenant\":\"t\",\"name\":\"n\",\"tasks\":[]}").triggers())
        .isEmpty();
  }

  @Test
  void a_trigger_that_cannot_be_read_is_refused() {
    for (String broken :
        List.of(
            "{\"name\":\"n\"}",
            "{\"name\":\"n\",\"cron\":\"bad\"}",
            "{\"name\":\"n\",\"every\":\"bad\"}",
            "{\"name\":\"n\",\"every\":\"PT1S\",\"timezone\":\"Mars/Base\"}",
            "{\"name\":\"n\",\"event\":\"e\",\"params\":{\"a\":null}}")) {
      assertThatIllegalArgumentException()
          .as(broken)
          .isThrownBy(() -> SpecCodec.triggerFromJson(broken));
    }
  }
}
