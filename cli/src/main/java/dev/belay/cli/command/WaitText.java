package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;

/** Why something waits, in the server's words and the reader's time zone. */
public final class WaitText {

  private WaitText() {}

  /**
   * @param waiting of a task or run; missing or null if it does not wait
   * @return empty if it does not wait
   */
  public static String of(JsonNode waiting, Times times) {
    String detail = Style.clean(Json.text(waiting, "detail"));
    if (detail.isEmpty()) {
      return "";
    }
    var until = Json.time(waiting, "until");
    if (until != null) {
      boolean today = times.date(until).equals(times.date(times.now()));
      return detail + ", until " + (today ? times.clock(until) : times.dateTime(until));
    }
    var since = Json.time(waiting, "since");
    return since == null ? detail : detail + ", since " + times.clock(since);
  }
}
