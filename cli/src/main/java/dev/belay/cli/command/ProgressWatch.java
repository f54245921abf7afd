package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ReconnectLimit;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** Follows work that takes long until it ends, also across a restart of the server. */
public final class ProgressWatch {

  private static final Duration LOOK = Duration.ofSeconds(2);

  private final BelayClient client;
  private final ReconnectLimit limit;
  private final Consumer<String> tell;

  /**
   * @param tell receives a line when the progress changed
   */
  public ProgressWatch(BelayClient client, CommandContext surroundings, Consumer<String> tell) {
    this.client = client;
    this.limit = new ReconnectLimit(surroundings.ticker(), tell);
    this.tell = tell;
  }

  /**
   * @param path of the item, which has {@code ended_at} when it is over
   * @return the item as it ended
   */
  public JsonNode until(String path, Function<JsonNode, String> progress) throws CommandFailed {
    String told = "";
    while (true) {
      JsonNode item;
      try {
        item = client.await(new Query(path), LOOK);
        limit.reached();
      } catch (Unreachable failure) {
        limit.bear(failure);
        continue;
      }
      if (!Json.text(item, "ended_at").isEmpty()) {
        return item;
      }
      String now = progress.apply(item);
      if (!now.equals(told)) {
        tell.accept(now);
        told = now;
      }
    }
  }
}
