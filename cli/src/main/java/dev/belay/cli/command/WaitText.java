package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;

/** Why something waits, in the words of the server and the times of the reader. */
public final class WaitText {

  private WaitText() {}

  /**
   * @param waiting of a task or run; missing or null for what does not wait
   * @return empty when it does not wait
   */
  public static String of(JsonNode waiting, Times times) {
    String detail = Style.clean(Json.text(waiting, "detail"));
    if (detail.isEmpty()) {
      return "";
    }
    var until = Json.time(waiting, "until");
    if (until != null) {
      return detail + ", until " + times.clock(until);
    }
    var since = Json.time(waiting, "since");
    return since == null ? detail : detail + ", since " + times.clock(since);
  }
}
