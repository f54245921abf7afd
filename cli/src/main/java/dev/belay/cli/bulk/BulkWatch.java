package dev.belay.cli.bulk;

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

/** Follows a bulk operation until it ends, also across a restart of the server. */
final class BulkWatch {

  private static final Duration LOOK = Duration.ofSeconds(2);

  private final BelayClient client;
  private final ReconnectLimit limit;
  private final Consumer<String> tell;

  /**
   * @param tell receives a line when the progress changed
   */
  BulkWatch(BelayClient client, CommandContext surroundings, Consumer<String> tell) {
    this.client = client;
    this.limit = new ReconnectLimit(surroundings.ticker(), tell);
    this.tell = tell;
  }

  JsonNode until(String id) throws CommandFailed {
    String told = "";
    while (true) {
      JsonNode bulk;
      try {
        bulk = client.await(new Query("/bulk/" + id), LOOK);
        limit.reached();
      } catch (Unreachable failure) {
        limit.bear(failure);
        continue;
      }
      if (!Json.text(bulk, "ended_at").isEmpty()) {
        return bulk;
      }
      String progress = BulkText.progress(bulk);
      if (!progress.equals(told)) {
        tell.accept(progress);
        told = progress;
      }
    }
  }
}
