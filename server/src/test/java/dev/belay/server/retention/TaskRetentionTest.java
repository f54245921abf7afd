package dev.belay.server.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseStore.Acquired;
import dev.belay.engine.port.LeaseToken;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.lease.PostgresLeases;
import dev.belay.store.recovery.Alert;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaskRetentionTest {

  private static final Duration AGE = Duration.ofDays(90);
  private static final Duration INTERVAL = Duration.ofHours(1);
  private static final int BATCH = 10;
  private static final int STEPS_MAX = 100;
  private static final JsonMapper JSON = new JsonMapper();

  private final StoreFixture store = new StoreFixture(1_000_000_000_000L);
  private LeaseToken token = new LeaseToken("", "", 0);
  private BelayMetrics metrics = new BelayMetrics();
  private long nanos;

  @BeforeEach
  void clear() {
    store.clear();
    store.worker();
    metrics = new BelayMetrics();
    token = acquired("a");
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_pass_removes_what_is_due_in_small_batches_and_keeps_the_rest() {
    tasks(35, TaskState.SUCCEEDED, null, 91);
    tasks(3, TaskState.SUCCEEDED, null, 89);
    tasks(3, TaskState.SCHEDULED, null, 400);
    TaskRetention retention = retention(Optional.empty());
    long left = store.count("task");
    for (boolean more = true; more; ) {
      more = retention.step(token).isPresent();
      long now = store.count("task");
      assertThat(left - now).isBetween(0L, (long) BATCH);
      left = now;
    }
    assertThat(left).isEqualTo(6);
    assertThat(count(Metric.RETENTION_REMOVED, "task")).isEqualTo(35);
    assertThat(store.count("task_payload")).isEqualTo(6);
  }

  @Test
  void a_batch_is_followed_by_a_pause_of_a_multiple_of_its_time() {
    tasks(35, TaskState.SUCCEEDED, null, 91);
    TaskRetention retention = retention(Optional.empty());
    // Each look at the ticker is 5 ms later.
    assertThat(retention.step(token)).contains(Duration.ofMillis(20));
  }

  @Test
  void a_run_goes_as_a_whole_and_an_open_one_stays() {
    UUID old = run("FAILED", 91);
    tasks(25, TaskState.FAILED, old, 91);
    UUID young = run("FAILED", 89);
    tasks(2, TaskState.FAILED, young, 91);
    UUID open = store.openRun();
    tasks(2, TaskState.SUCCEEDED, open, 91);
    pass(retention(Optional.empty()));
    assertThat(store.text("SELECT id FROM run ORDER BY id")).isEqualTo(young + "\n" + open);
    assertThat(store.count("task")).isEqualTo(4);
    assertThat(count(Metric.RETENTION_REMOVED, "run")).isEqualTo(1);
    assertThat(count(Metric.RETENTION_REMOVED, "task")).isEqualTo(25);
  }

  @Test
  void tasks_that_a_crash_left_without_their_run_are_removed_by_the_next_holder() {
    tasks(25, TaskState.FAILED, run("FAILED", 91), 91);
    retention(Optional.empty()).step(token);
    assertThat(store.count("run"))
        .as("the crash comes after the run and before its tasks")
        .isZero();
    assertThat(store.count("task")).isEqualTo(25);
    pass(retention(Optional.empty()));
    assertThat(store.count("task")).isZero();
  }

  @Test
  void the_archive_has_every_removed_task_and_run_once(@TempDir Path home) throws IOException {
    tasks(25, TaskState.FAILED, run("FAILED", 91), 91);
    tasks(12, TaskState.SUCCEEDED, null, 91);
    tasks(1, TaskState.SUCCEEDED, null, 89);
    List<String> wanted =
        List.of(
            store
                .text(
                    "SELECT id FROM run UNION SELECT id FROM task WHERE ended_at < belay_now() -"
                        + " interval '90 days'")
                .split("\n"));
    pass(retention(Optional.of(home.resolve("archive"))));
    assertThat(store.count("task")).isEqualTo(1);
    assertThat(lines(home.resolve("archive")))
        .extracting(line -> line.get("id").asText())
        .containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(lines(home.resolve("archive")).getFirst().get("kind").asText()).isEqualTo("run");
  }

  @Test
  void nothing_is_removed_while_the_archive_cannot_be_written(@TempDir Path home)
      throws IOException {
    tasks(12, TaskState.SUCCEEDED, null, 91);
    Path folder = Files.createFile(home.resolve("archive"));
    TaskRetention retention = retention(Optional.of(folder));
    retention.step(token);
    assertThat(retention.step(token)).contains(Duration.ofSeconds(1));
    assertThat(retention.step(token)).contains(Duration.ofSeconds(2));
    assertThat(store.count("alert")).isZero();
    assertThatThrownBy(() -> retention.step(token))
        .as("another replica may do better")
        .isInstanceOf(IllegalStateException.class);
    assertThat(store.count("task")).isEqualTo(12);
    assertThat(store.text("SELECT kind FROM alert")).isEqualTo(Alert.RETENTION_FAILED);
    assertThat(store.text("SELECT detail FROM alert")).contains(folder.toString());
    assertThat(count(Metric.RETENTION_FAILURES, "")).isEqualTo(3);

    Files.delete(folder);
    pass(retention);
    assertThat(store.count("task")).isZero();
    assertThat(lines(folder)).hasSize(12);
  }

  @Test
  void who_no_longer_holds_the_lease_removes_nothing(@TempDir Path home) {
    tasks(5, TaskState.SUCCEEDED, null, 91);
    TaskRetention retention = retention(Optional.of(home));
    retention.step(token);
    store.run("UPDATE job_lease SET expires_at = belay_now()");
    LeaseToken next = acquired("b");
    assertThatThrownBy(() -> retention.step(token)).isInstanceOf(LeaseLost.class);
    assertThat(store.count("task")).isEqualTo(5);
    assertThat(count(Metric.RETENTION_FAILURES, "")).isZero();
    token = next;
    pass(retention(Optional.of(home)));
    assertThat(store.count("task")).isZero();
  }

  @Test
  void a_row_that_somebody_holds_is_left_for_the_next_pass() {
    tasks(5, TaskState.SUCCEEDED, null, 91);
    TaskRetention retention = retention(Optional.empty());
    try (var person = store.jdbi().open()) {
      person.begin();
      person.execute("SELECT FROM task ORDER BY id LIMIT 2 FOR UPDATE");
      pass(retention);
      assertThat(store.count("task")).isEqualTo(2);
      person.rollback();
    }
    pass(retention);
    assertThat(store.count("task")).isZero();
  }

  @Test
  void an_age_of_zero_keeps_everything() {
    tasks(1, TaskState.SUCCEEDED, null, 3_000);
    TaskRetention retention = retention(Duration.ZERO, Optional.empty());
    pass(retention);
    assertThat(store.count("task")).isEqualTo(1);
  }

  private TaskRetention retention(Optional<Path> archive) {
    return retention(AGE, archive);
  }

  private TaskRetention retention(Duration age, Optional<Path> archive) {
    return new TaskRetention(
        store.jdbi(),
        new RetentionSettings(age, BATCH, 0.2, archive),
        archive.map(folder -> new ArchiveFolder(folder, Clock.systemUTC())),
        () -> nanos += 5_000_000,
        metrics);
  }

  private LeaseToken acquired(String replica) {
    return ((Acquired)
            new PostgresLeases(store.jdbi()).acquire("retention", replica, INTERVAL, INTERVAL))
        .token();
  }

  private void pass(TaskRetention retention) {
    int steps = 0;
    while (retention.step(token).isPresent()) {
      assertThat(++steps).isLessThan(STEPS_MAX);
    }
  }

  private void tasks(int count, TaskState state, @Nullable UUID run, int days) {
    for (int i = 0; i < count; i++) {
      UUID task = store.task(state, run);
      if (state.isTerminal()) {
        store.run(
            "UPDATE task SET ended_at = belay_now() - interval '%d days' WHERE id = '%s'"
                .formatted(days, task));
      }
    }
  }

  private UUID run(String state, int days) {
    UUID run = store.openRun();
    store.run(
        "UPDATE run SET state = '%s', ended_at = belay_now() - interval '%d days' WHERE id = '%s'"
            .formatted(state, days, run));
    return run;
  }

  private static List<JsonNode> lines(Path folder) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
          for (String line :
              new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
            lines.add(JSON.readTree(line));
          }
        }
      }
    }
    return lines;
  }

  private double count(Metric metric, String label) {
    var found = metrics.registry().get(metric.text());
    return (label.isEmpty() ? found : found.tag(metric.label(), label)).counter().count();
  }
}
