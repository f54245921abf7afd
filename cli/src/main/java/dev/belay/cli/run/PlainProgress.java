package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One line for each change, for logs and pipes. */
final class PlainProgress implements Progress {

  private final PrintStream out;
  private final Times times;
  private final Set<String> seen = new HashSet<>();

  PlainProgress(PrintStream out, Times times) {
    this.out = out;
    this.times = times;
  }

  @Override
  public void changed(List<JsonNode> tasks) {
    for (var task : tasks) {
      boolean first = seen.add(Json.text(task, "id"));
      if (first && isAtRest(task)) {
        // That it waits is no change.
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
  }

  private static boolean isAtRest(JsonNode task) {
    return switch (Json.text(task, "state")) {
      case "WAITING", "PENDING", "SCHEDULED" -> task.path("attempts").asInt() == 0;
      default -> false;
    };
  }

  @Override
  public void tick() {}

  @Override
  public void close() {
    out.flush();
  }
}
