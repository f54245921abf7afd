package dev.belay.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.LimitKind;
import dev.belay.domain.limit.Places.Held;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.system.IntakeCount;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Meters;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final String BEGIN = "<!-- made from the code: begin -->\n";
  private static final String END = "<!-- made from the code: end -->\n";

  @Test
  void the_page_lists_what_is_declared() throws IOException {
    String page = Files.readString(PAGE);
    String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
    String after = page.substring(page.indexOf(END));
    String made = before + table() + after;
    if (System.getProperty("belay.write") != null) {
      Files.writeString(PAGE, made);
    }
    assertThat(Files.readString(PAGE))
        .as("stale: run mvn -q -pl server -am test -Dbelay.write -Dtest=MetricsTest")
        .isEqualTo(made);
  }

  private static String table() {
    var table =
        new StringBuilder(
            "| metric | kind | label | names elsewhere | meaning |\n|---|---|---|---|---|\n");
    Arrays.stream(Metric.values())
        .forEach(
            metric ->
                table.append(
                    "| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                            metric.text(),
                            metric.kind().name().toLowerCase(Locale.ROOT),
                            metric.label(),
                            metric.answers(),
                            metric.help())));
    return table.toString();
  }

  @Test
  void reports_are_counted_by_answer_and_decisions_only_when_they_took_effect() {
    var metrics = new BelayMetrics();
    metrics.reported(
        List.of(
            settled("worker_restarted", Answer.APPLIED),
            settled("worker_restarted", Answer.VOID),
            settled("not_reported", Answer.DUPLICATE)),
        Duration.ofMillis(20));
    metrics.happened(Effects.ended(Map.of(TaskState.FAILED, 2), List.of()));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_results_total{answer=\"applied\"} 1.0",
            "belay_results_total{answer=\"duplicate\"} 1.0",
            "belay_results_total{answer=\"void\"} 1.0",
            "belay_tasks_completed_total{state=\"FAILED\",topic=\"\"} 2.0",
            "belay_scheduler_decisions_total{decision=\"worker_restarted\"} 1.0",
            "belay_scheduler_decisions_total{decision=\"not_reported\"} 0.0",
            "belay_results_batch_size_sum 3.0",
            "belay_results_write_seconds_sum 0.02");
  }

  @Test
  void tasks_are_counted_by_topic_and_those_without_one_apart() {
    var metrics = new BelayMetrics();
    metrics.tasks().received(BelayMetrics.Source.SUBMIT, 5, Map.of("etl", 2, "other", 1));
    metrics.happened(
        Effects.ended(Map.of(TaskState.SUCCEEDED, 4, TaskState.FAILED, 1), List.of())
            .ofTopics(Map.of("etl", Map.of(TaskState.SUCCEEDED, 3, TaskState.FAILED, 1))));
    metrics.tasks().limited(IntakeCount.Limit.SUBMIT_RATE);
    metrics.limits().waiting(Map.of("etl", 7L, "", 2L));
    metrics.limits().places(List.of(new Held(LimitKind.TENANT_LIMIT, "data", 3, 10)));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_tasks_received_total{source=\"submit\",topic=\"\"} 2.0",
            "belay_tasks_received_total{source=\"submit\",topic=\"etl\"} 2.0",
            "belay_tasks_received_total{source=\"submit\",topic=\"other\"} 1.0",
            "belay_tasks_completed_total{state=\"SUCCEEDED\",topic=\"etl\"} 3.0",
            "belay_tasks_completed_total{state=\"SUCCEEDED\",topic=\"\"} 1.0",
            "belay_tasks_completed_total{state=\"FAILED\",topic=\"etl\"} 1.0",
            "belay_tasks_completed_total{state=\"FAILED\",topic=\"\"} 0.0",
            "belay_submits_limited_total{limit=\"submit_rate\"} 1.0",
            "belay_submits_limited_total{limit=\"max_waiting\"} 0.0",
            "belay_tasks_waiting{topic=\"etl\"} 7.0",
            "belay_tasks_waiting{topic=\"\"} 2.0",
            "belay_limit_places{limit=\"tenant_limit\",name=\"data\"} 10.0",
            "belay_limit_places_held{limit=\"tenant_limit\",name=\"data\"} 3.0");
    metrics.limits().waiting(Map.of());
    metrics.limits().places(List.of());
    assertThat(metrics.registry().scrape())
        .contains("belay_tasks_waiting{topic=\"\"} 0.0")
        .doesNotContain("belay_limit_places{", "belay_tasks_waiting{topic=\"etl\"}");
  }

  @Test
  void a_gauge_uses_up_no_labels_of_counters() {
    var metrics = new BelayMetrics();
    Map<String, Long> many = new HashMap<>();
    for (int n = 0; n < 300; n++) {
      many.put("t" + n, 1L);
    }
    metrics.limits().waiting(many);
    assertThat(metrics.registry().scrape()).contains("belay_tasks_waiting{topic=\"other\"} 100.0");
    metrics.tasks().received(BelayMetrics.Source.SUBMIT, 1, Map.of("etl", 1));
    assertThat(metrics.registry().scrape())
        .contains("belay_tasks_received_total{source=\"submit\",topic=\"etl\"} 1.0");
  }

  @Test
  void topics_of_runs_that_are_not_declared_share_a_label() {
    var metrics = new BelayMetrics();
    metrics.tasks().declaredTopics("etl"::equals);
    var topics = Map.of("etl", 1, "typo", 2, "typo2", 3);
    metrics.happened(
        new Effects(7, topics, Map.of(), Map.of(), Map.of(), List.of(), Map.of(), List.of()));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_tasks_received_total{source=\"run\",topic=\"etl\"} 1.0",
            "belay_tasks_received_total{source=\"run\",topic=\"other\"} 5.0",
            "belay_tasks_received_total{source=\"run\",topic=\"\"} 1.0")
        .doesNotContain("typo");
  }

  @Test
  void phases_and_claims_are_timed() {
    var metrics = new BelayMetrics();
    metrics.phaseDone("plan", Duration.ofMillis(5), true);
    metrics.phaseDone("dispatch", Duration.ofMillis(5), false);
    metrics.ticked(Duration.ofMillis(10));
    metrics.dispatched(
        List.of(
            new Meters.Dispatched("etl", Duration.ofMillis(3)),
            new Meters.Dispatched(null, Duration.ofMillis(70))));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_tick_phase_failures_total{phase=\"plan\"} 1.0",
            "belay_tick_phase_failures_total{phase=\"dispatch\"} 0.0",
            "belay_tick_phase_seconds_count{phase=\"plan\"} 1",
            "belay_tick_seconds_count 1",
            "belay_tasks_dispatched_total{topic=\"etl\"} 1.0",
            "belay_tasks_dispatched_total{topic=\"\"} 1.0",
            "belay_dispatch_latency_seconds_bucket{le=\"0.005\"} 1",
            "belay_dispatch_latency_seconds_count 2");
  }

  @Test
  void topics_beyond_the_first_share_a_label() {
    var topics = new Topics();
    for (int n = 0; n < 200; n++) {
      assertThat(topics.label("t" + n)).isEqualTo("t" + n);
    }
    assertThat(topics.label("one more")).isEqualTo(Topics.OTHER);
    assertThat(topics.label("t7")).isEqualTo("t7");
    assertThat(topics.label(null)).isEmpty();
  }

  @Test
  void what_a_rule_ends_leaves_and_fails_at_is_counted_under_its_reason() {
    var metrics = new BelayMetrics();
    metrics.reaped("agent_closed", 3, 2);
    metrics.reaped("agent_silent", 1, 0);
    metrics.reaped("agent_lost", 1, 0);
    metrics.reaped("orphan_run", 1, 4);
    metrics.reaped("pending_replayed", 2, 0);
    metrics.reapFailed("dispatch_lost", false);
    metrics.reapFailed("dispatch_lost", true);
    metrics.listFailed("worker_gone");
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_scheduler_decisions_total{decision=\"agent_lost\"} 5.0",
            "belay_reap_left_total{rule=\"agent_lost\"} 2.0",
            "belay_scheduler_decisions_total{decision=\"orphan_reaped\"} 1.0",
            "belay_reap_left_total{rule=\"orphan_reaped\"} 4.0",
            "belay_scheduler_decisions_total{decision=\"pending_replayed\"} 2.0",
            "belay_orphan_replayed_total 2.0",
            "belay_scheduler_decisions_total{decision=\"dispatch_lost\"} 0.0",
            "belay_scheduler_decisions_total{decision=\"dispatch_lost_reap_error\"} 1.0",
            "belay_scheduler_decisions_total{decision=\"dispatch_lost_panic\"} 1.0",
            "belay_scheduler_decisions_total{decision=\"worker_gone_list_error\"} 1.0",
            "belay_scheduler_decisions_total{decision=\"deadline_passed_panic\"} 0.0");
  }

  @Test
  void recoveries_are_timed_and_late_ones_counted() {
    var metrics = new BelayMetrics();
    metrics.happened(
        Effects.ended(
            Map.of(),
            List.of(
                recovered(RecoveryKind.AGENT_CLOSED, 20),
                recovered(RecoveryKind.AGENT_CLOSED, 21),
                recovered(RecoveryKind.AGENT_SILENT, 95))));
    metrics.alerted("workers_silent_together", 1);
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_recovery_detection_seconds_bucket{kind=\"agent_closed\",le=\"20.0\"} 1",
            "belay_recovery_detection_seconds_count{kind=\"agent_closed\"} 2",
            "belay_recovery_detection_seconds_count{kind=\"orphan_run\"} 0",
            "belay_recoveries_late_total{kind=\"agent_closed\"} 1.0",
            "belay_recoveries_late_total{kind=\"agent_silent\"} 0.0",
            "belay_alerts_total{kind=\"recovery_late\"} 1.0",
            "belay_alerts_total{kind=\"workers_silent_together\"} 1.0");
  }

  @Test
  void stale_tasks_are_those_of_the_last_look() {
    var metrics = new BelayMetrics();
    metrics.stale(Map.of(TaskState.RUNNING, 3, TaskState.DISPATCHED, 1));
    metrics.stale(Map.of(TaskState.RUNNING, 2));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_stale_tasks{state=\"RUNNING\"} 2.0",
            "belay_stale_tasks{state=\"DISPATCHED\"} 0.0",
            "belay_stale_tasks{state=\"BLOCKED\"} 0.0")
        .doesNotContain("belay_stale_tasks{state=\"SUCCEEDED\"}");
  }

  @Test
  void instants_are_counted_by_outcome_and_those_that_fired_are_timed() {
    var metrics = new BelayMetrics();
    metrics.decided("fired", Duration.ofMillis(40));
    metrics.decided("fired", Duration.ofMillis(-1));
    metrics.decided("skipped", Duration.ofHours(1));
    metrics.nextDue(Instant.ofEpochSecond(1_700_000_000));
    assertThat(metrics.registry().scrape())
        .contains(
            "belay_schedule_instants_total{outcome=\"fired\"} 2.0",
            "belay_schedule_instants_total{outcome=\"skipped\"} 1.0",
            "belay_schedule_instants_total{outcome=\"coalesced\"} 0.0",
            "belay_schedule_lateness_seconds_count 2",
            "belay_schedule_lateness_seconds_bucket{le=\"0.001\"} 1",
            "belay_schedule_next_due_timestamp_seconds 1.7E9");
    metrics.nextDue(null);
    assertThat(metrics.registry().scrape())
        .contains("belay_schedule_next_due_timestamp_seconds 0.0");
  }

  private static Recovered recovered(RecoveryKind kind, int seconds) {
    return new Recovered(
        kind,
        new TaskId(new UUID(1, 4)),
        null,
        null,
        null,
        Duration.ofSeconds(seconds),
        Duration.ZERO);
  }

  private static Settlement settled(String reason, Answer answer) {
    return new Settlement(
        WorkerEvent.Ended.of(
            new WorkerId(new UUID(1, 1)),
            new SessionId(new UUID(1, 2)),
            new DispatchId(new UUID(1, 3)),
            new TaskId(new UUID(1, 4)),
            new Outcome.Lost(reason, Duration.ZERO)),
        answer);
  }
}
