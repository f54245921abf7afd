package dev.belay.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.ApiRefused;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends a set to the server, in one request. */
final class SetRequest {

  private static final int TOO_LARGE = 413;

  /** What a server takes unless its setting body-max says more. */
  private static final long BODY_USUAL_MAX = 8 << 20;

  private final BelayClient client;
  private final List<SetFiles.SetFile> files;
  private final String prune;

  /**
   * @param prune keep, pause or delete
   */
  SetRequest(BelayClient client, List<SetFiles.SetFile> files, String prune) {
    this.client = client;
    this.files = files;
    this.prune = prune;
  }

  JsonNode plan() throws CommandFailed {
    return send(body().put("dry_run", true));
  }

  JsonNode apply() throws CommandFailed {
    return send(body());
  }

  /** Applies the set, if the plan is still the one that a person confirmed. */
  JsonNode apply(JsonNode confirmed) throws CommandFailed {
    return send(body().put("plan", Json.text(confirmed, "plan")));
  }

  private ObjectNode body() {
    var body = Json.object();
    var list = body.putArray("files");
    files.forEach(file -> list.addObject().put("file", file.name()).put("source", file.text()));
    return body.put("prune", prune);
  }

  private JsonNode send(ObjectNode body) throws CommandFailed {
    try {
      return client.post(new Query("/apply"), body);
    } catch (ApiRefused e) {
      throw e.status() == TOO_LARGE ? tooLarge(bytes(body), e) : e;
    } catch (Unreachable e) {
      // A server that refuses a body may hang up before it has read it.
      boolean hungUp =
          !(e.getCause() instanceof ConnectException
              || e.getCause() instanceof HttpTimeoutException
              || e.getCause() instanceof ApiRefused);
      long bytes = bytes(body);
      throw hungUp && bytes > BODY_USUAL_MAX ? tooLarge(bytes, e) : e;
    }
  }

  private static long bytes(ObjectNode body) {
    return body.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private CommandFailed tooLarge(long bytes, CommandFailed cause) {
    return new CommandFailed(
        ExitCode.USAGE,
        "The set has %.1f MiB in %,d files, more than the server takes in one request; nothing was"
                .formatted(bytes / (double) (1 << 20), files.size())
            + " applied. Raise the server's setting body-max (8MiB unless it is set), or apply"
            + " parts of the set one after the other, without --prune.",
        cause);
  }
}
