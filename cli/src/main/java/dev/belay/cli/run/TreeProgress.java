package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.ReconnectLimit;
import dev.belay.cli.command.TaskLog;
import dev.belay.cli.command.WaitText;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import dev.belay.cli.terminal.Width;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks as a tree that is redrawn in place. If it does not fit the screen: the number of tasks
 * in each state, and those that failed, run or wait.
 *
 * <p>Invariant: no line is as wide as the screen and no picture as high, because wrapped or
 * scrolled lines cannot be overwritten.
 */
final class TreeProgress implements Progress {

  /** The line of the cursor. */
  private static final int SPARE_LINES = 1;

  private static final int NAME_WIDTH_MAX = 48;
  private static final int NAME_WIDTH_MIN = 8;
  private static final int SUMMARY_NAME_WIDTH = 30;
  private static final int STATE_WIDTH = 10;

  /** The width of state, time and gaps beside the name. */
  private static final int BESIDE_NAME = 30;

  private static final String INDENT = "  ";

  private final PrintStream out;
  private final Style style;
  private final Times times;
  private final TaskGraph graph;
  private final RunView view;
  private final Screen screen;

  /** The widths of the lines on the screen. */
  private List<Integer> drawn = List.of();

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
    // Lines above the top of the screen are out of reach.
    int up = Math.min(rowsOf(drawn, size), Math.max(0, size.height() - SPARE_LINES));
    if (up > 0) {
      frame.append("\u001b[").append(up).append('A');
    }
    var lines = picture(size);
    var widths = new ArrayList<Integer>();
    for (var line : lines) {
      frame.append('\r').append(line.fit(size.width() - 1)).append("\u001b[K\n");
      widths.add(Math.min(line.width(), Math.max(0, size.width() - 1)));
    }
    frame.append("\u001b[J");
    drawn = List.copyOf(widths);
    out.print(frame);
    out.flush();
  }

  /** A terminal that became narrower has wrapped the old lines. */
  private static int rowsOf(List<Integer> widths, Screen.Size size) {
    return widths.stream().mapToInt(width -> Math.max(0, width - 1) / size.width() + 1).sum();
  }

  List<String> lines(Screen.Size size) {
    return picture(size).stream().map(line -> line.fit(size.width() - 1)).toList();
  }

  private List<Line> picture(Screen.Size size) {
    var lines = new ArrayList<Line>();
    heading(lines);
    int room = Math.max(1, size.height() - SPARE_LINES) - lines.size();
    if (graph.size() <= room) {
      int width = nameWidth(size);
      graph.rows().forEach(row -> lines.add(line(row, width)));
    } else {
      summary(lines, room);
    }
    int most = Math.max(1, size.height() - SPARE_LINES);
    return lines.size() <= most ? lines : lines.subList(0, most);
  }

  private void heading(List<Line> lines) {
    var run = view.run();
    var silence = view.silence();
    String state = silence != null ? "NO ANSWER" : state();
    var from = Json.time(run, "created_at");
    var to = Json.time(run, "ended_at");
    String time =
        from == null
            ? ""
            : to != null
                ? Times.exact(Duration.between(from, to))
                : Times.running(Duration.between(from, shownAt().now()));
    lines.add(
        new Line()
            .add(Style.clean(Json.text(run, "workflow")), style::bold)
            .add("  ")
            .add(state, text -> style.state(silence != null ? "FAILED" : state, text))
            .add("  " + time + "  " + view.finished() + " of " + graph.size() + " done"));
    if (silence != null) {
      lines.add(
          new Line()
              .add(
                  INDENT
                      + "nothing new for "
                      + Times.coarse(silence.lasts())
                      + "; last known at "
                      + times.clock(silence.knownAt())
                      + ": "
                      + state()));
      lines.add(new Line().add(INDENT + Style.clean(silence.why()), style::dim));
      return;
    }
    String waiting = WaitText.of(view.waiting(), times);
    if (!waiting.isEmpty()) {
      lines.add(new Line().add(INDENT + waiting));
    }
  }

  /** A paused run is QUEUED, too, but that would hide that it will not start by itself. */
  private String state() {
    return Json.text(view.waiting(), "reason").equals("paused")
        ? "PAUSED"
        : Json.text(view.run(), "state");
  }

  /** Durations stop while nothing is known. */
  private Times shownAt() {
    var silence = view.silence();
    return silence == null ? times : times.at(silence.knownAt());
  }

  private int nameWidth(Screen.Size size) {
    int longest =
        graph.rows().stream().mapToInt(row -> Width.of(row.branch() + row.name())).max().orElse(0);
    int most = Math.clamp(size.width() - BESIDE_NAME, NAME_WIDTH_MIN, NAME_WIDTH_MAX);
    return Math.min(longest, most);
  }

  private Line line(TaskGraph.Row row, int nameWidth) {
    var task = view.task(row.name());
    String state = task == null ? "WAITING" : Json.text(task, "state");
    boolean sure = view.silence() == null || (task != null && TaskLog.isTerminal(task));
    int stateAt = 2 + nameWidth + 2;
    return new Line()
        .add(Style.symbol(state), text -> style.state(state, text))
        .add(" ")
        .add(Width.cut(row.branch() + row.name(), nameWidth))
        .upTo(stateAt)
        .add(sure ? state : state + "?", text -> style.state(state, text))
        .upTo(stateAt + Math.max(STATE_WIDTH, state.length()) + 1)
        .add(facts(row, task), style::dim);
  }

  private String facts(TaskGraph.Row row, @Nullable JsonNode task) {
    var facts = new ArrayList<String>();
    if (task != null) {
      facts.add(TaskLine.time(task, shownAt()));
      int attempts = task.path("attempts").asInt();
      facts.add(attempts > 1 ? "attempt " + attempts : "");
      facts.add(RunView.isFailure(task) ? Style.clean(Json.text(task, "reason")) : "");
      facts.add(waiting(task));
    }
    facts.add(row.others().isEmpty() ? "" : "(also after " + String.join(", ", row.others()) + ")");
    facts.removeIf(String::isEmpty);
    return String.join(" ", facts);
  }

  /** A short wait is not worth a line. */
  private String waiting(JsonNode task) {
    var since = Json.time(task, "state_since");
    if (TaskLog.isTerminal(task)
        || RunView.isActive(task)
        || since == null
        || Duration.between(since, times.now()).compareTo(ReconnectLimit.TOLD_AFTER) < 0) {
      return "";
    }
    return WaitText.of(view.waiting(Json.text(task, "name")), times);
  }

  private void summary(List<Line> lines, int room) {
    var counts = new Line().add(INDENT);
    String[] between = {""};
    view.counts()
        .forEach(
            (state, count) -> {
              counts.add(between[0] + count + " ").add(state, text -> style.state(state, text));
              between[0] = ", ";
            });
    lines.add(counts);
    var shown = new ArrayList<JsonNode>();
    view.tasks().stream().filter(RunView::isFailure).forEach(shown::add);
    view.tasks().stream().filter(RunView::isActive).forEach(shown::add);
    int fit = Math.min(shown.size(), Math.max(0, room - 2));
    for (var task : shown.subList(0, fit)) {
      var row = new TaskGraph.Row(Json.text(task, "name"), "", List.of());
      lines.add(line(row, SUMMARY_NAME_WIDTH));
    }
    if (shown.size() > fit) {
      lines.add(
          new Line()
              .add(
                  INDENT + "... and " + (shown.size() - fit) + " more that run or failed",
                  style::dim));
    }
  }
}
