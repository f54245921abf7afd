package dev.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TreeProgressTest {

  private final Clock clock = Clock.fixed(Instant.parse("2026-03-01T12:00:03Z"), ZoneOffset.UTC);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final RunView view =
      new RunView(
          Json.object()
              .put("id", "r")
              .put("workflow", "etl")
              .put("state", "RUNNING")
              .put("created_at", "2026-03-01T12:00:00Z"));

  @Test
  void the_tree_shows_states_and_times_in_the_order_of_dependencies() {
    var given = new LinkedHashMap<String, List<String>>();
    given.put("fetch", List.of());
    given.put("load", List.of("fetch"));
    given.put("check", List.of("fetch"));
    given.put("report", List.of("load", "check"));
    var graph = TaskGraph.of(given);
    view.take(
        List.of(
            task("fetch", "SUCCEEDED", "00.000", "01.234"),
            task("load", "RUNNING", "01.500", null),
            task("check", "FAILED", "01.500", "02.500"),
            task("report", "WAITING", null, null)));

    assertThat(progress(graph).lines(new Screen.Size(24, 100)))
        .containsExactly(
            "etl  RUNNING  3.0s  2 of 4 done",
            "✓ fetch         SUCCEEDED  1.234s",
            "▸ ├─ load       RUNNING    1.5s",
            "✗ └─ check      FAILED     1.000s it broke",
            "·    └─ report  WAITING    (also after load)");
  }

  @Test
  void what_does_not_fit_the_screen_is_counted_and_only_trouble_and_work_are_listed() {
    var given = new LinkedHashMap<String, List<String>>();
    var tasks = new java.util.ArrayList<JsonNode>();
    for (int i = 0; i < 2_000; i++) {
      given.put("t" + i, List.of());
      tasks.add(
          i < 1_900
              ? task("t" + i, "SUCCEEDED", "00.000", "00.010")
              : i < 1_990
                  ? task("t" + i, "RUNNING", "01.000", null)
                  : task("t" + i, "FAILED", "00.000", "00.500"));
    }
    view.take(tasks);

    var lines = progress(TaskGraph.of(given)).lines(new Screen.Size(24, 80));

    assertThat(lines).hasSizeLessThanOrEqualTo(23);
    assertThat(lines.get(0)).isEqualTo("etl  RUNNING  3.0s  1910 of 2000 done");
    assertThat(lines.get(1)).isEqualTo("  10 FAILED, 90 RUNNING, 1900 SUCCEEDED");
    assertThat(lines.get(2)).startsWith("✗ t1990");
    assertThat(lines.getLast()).isEqualTo("  ... and 80 more that run or failed");
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
  }

  @Test
  void the_picture_is_drawn_again_in_place() {
    var progress = progress(TaskGraph.of(Map.of("a", List.of())));

    progress.tick();
    int first = written.size();
    progress.tick();

    var text = written.toString(StandardCharsets.UTF_8);
    assertThat(text).startsWith("\retl");
    assertThat(written.toByteArray().length).isGreaterThan(first);
    assertThat(text.lines().filter(line -> line.contains("\u001b[2A"))).hasSize(1);
  }

  @Test
  void a_read_that_overlaps_or_comes_late_changes_nothing() {
    var running = task("a", "RUNNING", "01.000", null);
    var done = task("a", "SUCCEEDED", "01.000", "02.000");

    assertThat(view.take(List.of(running))).hasSize(1);
    assertThat(view.take(List.of(done))).hasSize(1);
    assertThat(view.take(List.of(done, running))).isEmpty();
    assertThat(view.counts()).containsExactly(Map.entry("SUCCEEDED", 1));
  }

  private TreeProgress progress(TaskGraph graph) {
    return new TreeProgress(
        new PrintStream(written, true, StandardCharsets.UTF_8),
        new Style(false),
        new Times(clock),
        graph,
        view,
        new Screen(() -> 0, new Screen.Size(24, 80)));
  }

  private static JsonNode task(
      String name, String state, @Nullable String started, @Nullable String ended) {
    String day = "2026-03-01T12:00:";
    var task =
        Json.object()
            .put("id", name)
            .put("name", name)
            .put("state", state)
            .put("attempts", 1)
            .put("reason", "it broke");
    task.put("started_at", started == null ? null : day + started + "Z");
    task.put("ended_at", ended == null ? null : day + ended + "Z");
    task.put(
        "state_since", day + (ended != null ? ended : started != null ? started : "00.000") + "Z");
    return task;
  }
}
