package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.ApiRefused;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that talks to a server. */
public abstract class ClientCommand extends BelayCommand {

  @Option(
      names = "--server",
      order = 91,
      paramLabel = "URL",
      description = {
        "The server, or replicas separated by commas; else $BELAY_SERVER,",
        "else the running lite or cluster of this user."
      })
  @Nullable String server;

  @Option(
      names = "--token-file",
      order = 92,
      paramLabel = "FILE",
      description = "The token file; else $BELAY_TOKEN_FILE, else that of the running lite.")
  @Nullable Path tokenFile;

  @Option(
      names = {"-o", "--output"},
      order = 90,
      paramLabel = "FORMAT",
      description = "table or json; json prints the API's objects unchanged.")
  OutputFormat output = OutputFormat.TABLE;

  protected ClientCommand(CommandContext surroundings) {
    super(surroundings);
  }

  protected final ConnectionFinder finder() {
    return new ConnectionFinder(surroundings, server, tokenFile);
  }

  protected final BelayClient connect() throws CommandFailed {
    return new BelayClient(finder().require());
  }

  protected final boolean json() {
    return output == OutputFormat.JSON;
  }

  protected final void print(JsonNode node) {
    print(Json.pretty(node));
  }

  /** A person's answer to yes or no; empty when there is nobody to ask. */
  protected final Optional<Boolean> ask(String question) throws CommandFailed {
    var typed = surroundings.terminal() ? surroundings.typed().get() : null;
    if (typed == null) {
      return Optional.empty();
    }
    surroundings.err().print(question + " [y/N] ");
    surroundings.err().flush();
    try {
      var line = typed.readLine();
      var word = line == null ? "" : line.strip();
      return Optional.of(word.equalsIgnoreCase("y") || word.equalsIgnoreCase("yes"));
    } catch (IOException e) {
      throw new CommandFailed(ExitCode.FAILED, "Cannot read the answer; nothing was changed.", e);
    }
  }

  /** A request about something that the server may not know. */
  @FunctionalInterface
  protected interface Request {
    void send() throws CommandFailed;
  }

  /** False when the server does not know it. */
  protected static boolean found(Request request) throws CommandFailed {
    try {
      request.send();
      return true;
    } catch (ApiRefused e) {
      if (e.isNotFound()) {
        return false;
      }
      throw e;
    }
  }

  protected static CommandFailed noRunOrTask(String id, BelayClient client) {
    return new CommandFailed(
        ExitCode.FAILED,
        "No run or task has the id %s at %s. `belay runs` and `belay tasks` list them."
            .formatted(id, client.connection().url()));
  }

  /** A whole UUID; there is no search by prefix. */
  protected static String id(String text) throws CommandFailed {
    try {
      if (UUID.fromString(text).toString().equalsIgnoreCase(text)) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, with UUIDs that are too short.
    }
    throw new CommandFailed(
        ExitCode.USAGE,
        "\"%s\" is not an id. Give the whole UUID, as `belay tasks` and `belay runs` print it."
            .formatted(text));
  }
}
