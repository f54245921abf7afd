package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.ApiRefused;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reports how a run ended. */
final class RunReport {

  private static final int LOGS_SHOWN_MAX = 5;
  private static final int TAIL_BYTES = 4096;
  private static final int TAIL_LINES = 20;

  private final BelayClient client;
  private final RunView view;
  private final TaskGraph graph;
  private final Style style;

  RunReport(BelayClient client, RunView view, TaskGraph graph, Style style) {
    this.client = client;
    this.view = view;
    this.graph = graph;
    this.style = style;
  }

  /**
   * The run, its tasks, and the scheduler's overhead: wall time minus the longest path through the
   * processes' own times.
   */
  ObjectNode json() throws CommandFailed {
    var own = OwnTimes.read(client, view.tasks());
    // Rounds to milliseconds first, so the three figures add up.
    long path = graph.criticalPath(name -> own.getOrDefault(name, Duration.ZERO)).toMillis();
    long wall = wall().toMillis();
    var report = Json.object();
    report.set("run", view.run());
    report.putArray("tasks").addAll(view.tasks());
    return report
        .put("wall_ms", wall)
        .put("critical_path_ms", path)
        .put("overhead_ms", wall - path);
  }

  void sayEnd(PrintStream out) {
    var counts = new ArrayList<String>();
    view.counts().forEach((state, count) -> counts.add(count + " " + state));
    String state = Json.text(view.run(), "state");
    String reason = Style.clean(Json.text(view.run(), "reason"));
    out.println(
        "Run %s of %s: %s after %s (%s)%s"
            .formatted(
                view.id(),
                Style.clean(Json.text(view.run(), "workflow")),
                style.state(state),
                Times.exact(wall()),
                String.join(", ", counts),
                state.equals("SUCCEEDED") || reason.isEmpty() ? "" : ": " + reason));
  }

  /** The log ends of the first few failed tasks; people fix one thing at a time. */
  void sayFailures(PrintStream out) throws CommandFailed {
    var failed = view.tasks().stream().filter(RunView::isFailure).toList();
    for (var task : failed.subList(0, Math.min(failed.size(), LOGS_SHOWN_MAX))) {
      out.println();
      out.println(
          style.red("✗ " + Style.clean(Json.text(task, "name")))
              + " "
              + Json.text(task, "state")
              + ": "
              + Style.clean(Json.text(task, "reason")));
      out.println("  task %s, its log: belay logs %s".formatted(id(task), id(task)));
      tail(Json.text(task, "id")).forEach(line -> out.println("  | " + line));
    }
    if (failed.size() > LOGS_SHOWN_MAX) {
      out.println();
      out.println(
          "... and %d more tasks failed: belay tasks --run %s --state FAILED,TIMEOUT"
              .formatted(failed.size() - LOGS_SHOWN_MAX, view.id()));
    }
    if (!failed.isEmpty()) {
      out.println();
    }
  }

  private static String id(JsonNode task) {
    return Json.text(task, "id");
  }

  private List<String> tail(String task) throws CommandFailed {
    var bytes = new ByteArrayOutputStream();
    try {
      client.copy(new Query("/tasks/" + task + "/logs").with("tail", TAIL_BYTES), bytes);
    } catch (ApiRefused e) {
      // A task that never started has no log.
      return List.of();
    } catch (Unreachable e) {
      return List.of("(log not available)");
    }
    var lines = bytes.toString(StandardCharsets.UTF_8).lines().map(Style::clean).toList();
    return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
  }

  private Duration wall() {
    var from = Json.time(view.run(), "created_at");
    var to = Json.time(view.run(), "ended_at");
    return from == null || to == null ? Duration.ZERO : Duration.between(from, to);
  }
}
