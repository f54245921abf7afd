package dev.belay.cli.backfill;

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

/** Follows a backfill until it ends, also across a restart of the server. */
final class BackfillWatch {

  private static final Duration LOOK = Duration.ofSeconds(2);

  private final BelayClient client;
  private final ReconnectLimit limit;
  private final Consumer<String> tell;

  /**
   * @param tell receives a line when the progress changed
   */
  BackfillWatch(BelayClient client, CommandContext surroundings, Consumer<String> tell) {
    this.client = client;
    this.limit = new ReconnectLimit(surroundings.ticker(), tell);
    this.tell = tell;
  }

  JsonNode until(String id) throws CommandFailed {
    String told = "";
    while (true) {
      JsonNode backfill;
      try {
        backfill = client.await(new Query("/backfills/" + id), LOOK);
        limit.reached();
      } catch (Unreachable failure) {
        limit.bear(failure);
        continue;
      }
      if (!Json.text(backfill, "ended_at").isEmpty()) {
        return backfill;
      }
      String progress = BackfillText.progress(backfill);
      if (!progress.equals(told)) {
        tell.accept(progress);
        told = progress;
      }
    }
  }
}
