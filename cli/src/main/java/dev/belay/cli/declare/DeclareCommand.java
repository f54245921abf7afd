package dev.belay.cli.declare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.ApiRefused;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.Warnings;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Declares a thing, or changes what is given of it. It sends the version that it has read, so that
 * nobody else's change is lost.
 */
public abstract class DeclareCommand extends ClientCommand {

  /** As the value of an option, it removes a limit. */
  private static final String NONE = "none";

  @Parameters(paramLabel = "NAME", description = "Its name.")
  String name;

  @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
  @Nullable String description;

  private final String kind;
  private final List<String> fields;

  /**
   * @param kind as people say it
   * @param fields what a request may say, beside the description
   */
  DeclareCommand(CommandContext surroundings, String kind, List<String> fields) {
    super(surroundings);
    this.kind = kind;
    this.fields = fields;
  }

  /** Changes what the options say. */
  abstract void change(ObjectNode body) throws CommandFailed;

  @Override
  protected final ExitCode execute() throws CommandFailed {
    var path = new Query("/" + kind + "s/" + Query.part(name));
    try (var client = connect()) {
      var before = read(client, path);
      var body = Json.object();
      before.ifPresent(node -> copy(node, body));
      if (description != null) {
        body.put("description", description);
      }
      change(body);
      var version = before.map(node -> Json.text(node, "version")).orElse("");
      var answer =
          version.isEmpty()
              ? client.put(path, body, "If-None-Match", "*")
              : client.put(path, body, "If-Match", "\"" + version + "\"");
      Warnings.of(answer).forEach(this::note);
      if (json()) {
        print(answer);
      } else {
        print(
            "The %s %s is %s (version %s)."
                .formatted(
                    kind,
                    name,
                    version.isEmpty() ? "declared" : "changed",
                    Json.text(answer, "version")));
      }
      return ExitCode.OK;
    }
  }

  private static Optional<JsonNode> read(BelayClient client, Query path) throws CommandFailed {
    try {
      return Optional.of(client.fetch(path));
    } catch (ApiRefused e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private void copy(JsonNode from, ObjectNode to) {
    for (var field : fields) {
      if (from.hasNonNull(field)) {
        to.set(field, from.get(field));
      }
    }
    if (from.hasNonNull("description")) {
      to.set("description", from.get("description"));
    }
  }

  static void text(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }

  static void texts(ObjectNode body, String field, List<String> values) {
    if (!values.isEmpty()) {
      var list = body.putArray(field);
      values.stream().filter(value -> !value.equals(NONE)).forEach(list::add);
    }
  }

  static void number(ObjectNode body, String field, @Nullable String value) throws CommandFailed {
    if (value == null) {
      return;
    }
    if (value.equals(NONE)) {
      body.remove(field);
      return;
    }
    try {
      body.put(field, Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "--%s must be a number, or none for no limit, not \"%s\"."
              .formatted(field.replace('_', '-'), value));
    }
  }

  /** {@code 100/1s}. */
  static void rate(ObjectNode body, String field, @Nullable String value) throws CommandFailed {
    if (value == null) {
      return;
    }
    if (value.equals(NONE)) {
      body.remove(field);
      return;
    }
    var parts = value.split("/", 2);
    if (parts.length != 2 || !parts[0].matches("[0-9]{1,9}")) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "--%s must be a number and a time, such as 100/1s, or none, not \"%s\"."
              .formatted(field.replace('_', '-'), value));
    }
    body.putObject(field).put("max", Integer.parseInt(parts[0])).put("per", parts[1]);
  }
}
