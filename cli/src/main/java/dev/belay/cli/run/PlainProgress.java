package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.WaitNotes;
import dev.belay.cli.command.WaitText;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** One line for each change, for logs and pipes; explanations of waits go to the other stream. */
final class PlainProgress implements Progress {

  private final PrintStream out;
  private final PrintStream notes;
  private final Times times;
  private final RunView view;
  private final WaitNotes waits;
  private final Set<String> seen = new HashSet<>();
  private String silentBecause = "";

  /**
   * @param notes for lines that people should read and scripts should not
   * @param ticker monotonic nanoseconds
   */
  PlainProgress(
      PrintStream out, PrintStream notes, Times times, RunView view, LongSupplier ticker) {
    this.out = out;
    this.notes = notes;
    this.times = times;
    this.view = view;
    this.waits = new WaitNotes(ticker, notes::println);
  }

  @Override
  public void changed(List<JsonNode> tasks) {
    for (var task : tasks) {
      boolean first = seen.add(Json.text(task, "id"));
      if (first && isAtRest(task)) {
        // A wait is no change.
        continue;
      }
      var since = Json.time(task, "state_since");
      out.println(
          "%s  %s  %s%s"
              .formatted(
                  since == null ? "" : times.time(since),
                  Style.clean(Json.text(task, "name")),
                  Json.text(task, "state"),
                  TaskLine.facts(task, times)));
    }
    tick();
  }

  private static boolean isAtRest(JsonNode task) {
    return switch (Json.text(task, "state")) {
      case "WAITING", "PENDING", "SCHEDULED" -> task.path("attempts").asInt() == 0;
      default -> false;
    };
  }

  @Override
  public void tick() {
    var silence = view.silence();
    if (silence == null) {
      if (!silentBecause.isEmpty()) {
        notes.println("The server answers again.");
        silentBecause = "";
      }
      waits.seen(RunWatch.isOver(view.run()) ? Map.of() : waiting());
    } else if (!silence.why().equals(silentBecause)) {
      silentBecause = silence.why();
      notes.println(
          "Nothing new for %s: %s. Last known at %s: %s."
              .formatted(
                  Times.coarse(silence.lasts()),
                  Style.clean(silence.why()),
                  times.clock(silence.knownAt()),
                  known()));
    }
  }

  private String known() {
    var counts = new ArrayList<String>();
    view.counts().forEach((state, count) -> counts.add(count + " " + state));
    String run = "run " + Json.text(view.run(), "state");
    return counts.isEmpty() ? run : run + ", tasks " + String.join(", ", counts);
  }

  /** By cause, so a hundred tasks that wait for the same slot make one line. */
  private Map<String, String> waiting() {
    var sentences = new LinkedHashMap<String, String>();
    String run = WaitText.of(view.waiting(), times);
    if (!run.isEmpty()) {
      sentences.put(run, "The run waits: " + run + ".");
    }
    for (var task : view.run().path("waiting_tasks")) {
      String detail = Json.text(task, "detail");
      sentences.putIfAbsent(
          detail,
          "%s waits: %s."
              .formatted(Style.clean(Json.text(task, "name")), WaitText.of(task, times)));
    }
    return sentences;
  }

  @Override
  public void close() {
    out.flush();
    notes.flush();
  }
}
