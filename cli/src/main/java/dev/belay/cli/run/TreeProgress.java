package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks as a tree that is drawn again in place. When it does not fit the screen: how many are
 * in which state, and those that run or failed.
 */
final class TreeProgress implements Progress {

  private static final int HEADING_LINES = 1;

  /** The line on which the cursor stands. */
  private static final int SPARE_LINES = 1;

  private static final int NAME_WIDTH_MAX = 48;
  private static final int STATE_WIDTH = 10;

  /** Symbol and spaces between the columns. */
  private static final int GAPS = 5;

  private final PrintStream out;
  private final Style style;
  private final Times times;
  private final TaskGraph graph;
  private final RunView view;
  private final Screen screen;
  private int drawn;

  TreeProgress(
      PrintStream out, Style style, Times times, TaskGraph graph, RunView view, Screen screen) {
    this.out = out;
    this.style = style;
    this.times = times;
    this.graph = graph;
    this.view = view;
    this.screen = screen;
  }

  @Override
  public void changed(List<JsonNode> tasks) {
    draw();
  }

  @Override
  public void tick() {
    draw();
  }

  @Override
  public void close() {
    draw();
    out.flush();
  }

  private void draw() {
    var size = screen.size();
    var frame = new StringBuilder();
    // Lines above the top of the screen are out of reach for ever.
    int up = Math.min(drawn, size.height() - SPARE_LINES);
    if (up > 0) {
      frame.append("\u001b[").append(up).append('A');
    }
    var lines = lines(size);
    lines.forEach(line -> frame.append('\r').append(line).append("\u001b[K\n"));
    frame.append("\u001b[J");
    drawn = lines.size();
    out.print(frame);
    out.flush();
  }

  List<String> lines(Screen.Size size) {
    var lines = new ArrayList<String>();
    lines.add(heading());
    int room = size.height() - HEADING_LINES - SPARE_LINES;
    if (graph.size() <= room) {
      int width = nameWidth();
      graph.rows().forEach(row -> lines.add(line(row, width, size.width())));
    } else {
      summary(lines, room, size.width());
    }
    return lines;
  }

  private String heading() {
    var run = view.run();
    // The run itself is read only at its end; until then its tasks tell that it goes on.
    String state = RunWatch.isOver(run) ? Json.text(run, "state") : "RUNNING";
    var from = Json.time(run, "created_at");
    var to = Json.time(run, "ended_at");
    String time =
        from == null
            ? ""
            : to != null
                ? Times.exact(Duration.between(from, to))
                : Times.running(Duration.between(from, times.now()));
    return "%s  %s  %s  %d of %d done"
        .formatted(
            style.bold(Style.clean(Json.text(run, "workflow"))),
            style.state(state),
            time,
            view.finished(),
            graph.size());
  }

  private int nameWidth() {
    return Math.min(
        NAME_WIDTH_MAX,
        graph.rows().stream()
            .mapToInt(row -> row.branch().length() + row.name().length())
            .max()
            .orElse(0));
  }

  private String line(TaskGraph.Row row, int width, int screenWidth) {
    var task = view.task(row.name());
    String state = task == null ? "WAITING" : Json.text(task, "state");
    String name = Style.shorten(row.branch() + row.name(), width);
    int stateWidth = Math.max(STATE_WIDTH, state.length());
    int room = Math.max(0, screenWidth - width - stateWidth - GAPS);
    return "%s %s%s  %s%s %s"
        .formatted(
            style.state(state, Style.symbol(state)),
            name,
            " ".repeat(width - name.length()),
            style.state(state),
            " ".repeat(stateWidth - state.length()),
            style.dim(Style.shorten(facts(row, task), room)))
        .stripTrailing();
  }

  private String facts(TaskGraph.Row row, @Nullable JsonNode task) {
    var facts = new ArrayList<String>();
    if (task != null) {
      facts.add(TaskLine.time(task, times));
      int attempts = task.path("attempts").asInt();
      facts.add(attempts > 1 ? "attempt " + attempts : "");
      facts.add(RunView.isFailure(task) ? Style.clean(Json.text(task, "reason")) : "");
    }
    facts.add(row.others().isEmpty() ? "" : "(also after " + String.join(", ", row.others()) + ")");
    facts.removeIf(String::isEmpty);
    return String.join(" ", facts);
  }

  private void summary(List<String> lines, int room, int screenWidth) {
    var counts = new ArrayList<String>();
    view.counts().forEach((state, count) -> counts.add(count + " " + style.state(state)));
    lines.add("  " + String.join(", ", counts));
    var shown = new ArrayList<JsonNode>();
    view.tasks().stream().filter(RunView::isFailure).forEach(shown::add);
    view.tasks().stream().filter(RunView::isActive).forEach(shown::add);
    int fit = Math.min(shown.size(), Math.max(0, room - 2));
    for (var task : shown.subList(0, fit)) {
      lines.add(line(new TaskGraph.Row(Json.text(task, "name"), "", List.of()), 30, screenWidth));
    }
    if (shown.size() > fit) {
      lines.add(style.dim("  ... and " + (shown.size() - fit) + " more that run or failed"));
    }
  }
}
