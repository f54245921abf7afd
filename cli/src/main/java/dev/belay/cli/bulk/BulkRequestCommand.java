package dev.belay.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.ProgressWatch;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Requests a bulk operation, or shows what it would change. */
public abstract class BulkRequestCommand extends ClientCommand {

  private static final Pattern RATE = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(?:/([smh]))?");

  @Option(
      names = "--rate",
      paramLabel = "N/s",
      description = "Change at most N in a second (or N/m, N/h).")
  @Nullable String rate;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Why; the history of each task shows it.")
  @Nullable String note;

  @Option(names = "--dry-run", description = "Show what matches, and change nothing.")
  boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  @Option(names = "--wait", description = "Wait until it ends; exit status 1 unless it is DONE.")
  boolean wait;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Starting again with this key and these options returns the first operation.")
  @Nullable String idempotencyKey;

  protected BulkRequestCommand(CommandContext surroundings) {
    super(surroundings);
  }

  /** Whether an option of the operation as a whole was given. */
  protected final boolean hasRequestOptions() {
    return rate != null || note != null || dryRun || yes || wait || idempotencyKey != null;
  }

  /**
   * @param body the kind and the filter
   */
  protected final ExitCode request(ObjectNode body) throws CommandFailed {
    put(body, "note", note);
    if (rate != null) {
      body.put("rate", perSecond(rate));
    }
    try (var client = connect()) {
      if (dryRun) {
        var planned = preview(client, body);
        if (json()) {
          print(planned);
        } else {
          printAll(BulkText.preview(planned, style));
          note(style.dim("Nothing was changed."));
        }
        return ExitCode.OK;
      }
      if (!yes) {
        confirm(preview(client, body), Json.text(body, "kind"));
      }
      String key = idempotencyKey != null ? idempotencyKey : surroundings.ids().next().toString();
      return started(client, client.postOnce(new Query("/bulk"), body, key));
    }
  }

  private static JsonNode preview(BelayClient client, ObjectNode body) throws CommandFailed {
    return client.post(new Query("/bulk"), body.deepCopy().put("dry_run", true));
  }

  private void confirm(JsonNode planned, String kind) throws CommandFailed {
    BulkText.preview(planned, style).forEach(line -> note(line));
    var what =
        "%s of %s %s"
            .formatted(kind, BulkText.matches(planned.path("preview")), BulkText.what(kind));
    var answer = ask("Start the %s?".formatted(what));
    if (answer.isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "This would start a %s, and nobody can be asked here; nothing was changed. Add --yes."
              .formatted(what));
    }
    if (!answer.get()) {
      throw new CommandFailed(ExitCode.FAILED, "Nothing was changed.");
    }
  }

  private ExitCode started(BelayClient client, JsonNode started) throws CommandFailed {
    String id = Json.text(started, "id");
    if (!wait) {
      if (json()) {
        print(started);
      } else {
        print(id);
        note(style.dim("See it: belay bulk show %s. End it: belay bulk stop %s".formatted(id, id)));
      }
      return ExitCode.OK;
    }
    if (!json()) {
      print(id);
    }
    var ended =
        new ProgressWatch(client, surroundings, this::note)
            .until("/bulk/" + id, BulkText::progress);
    if (json()) {
      print(ended);
    } else {
      printAll(BulkText.lines(ended, style, times));
    }
    return Json.text(ended, "state").equals("DONE") ? ExitCode.OK : ExitCode.FAILED;
  }

  private static double perSecond(String rate) throws CommandFailed {
    var parts = RATE.matcher(rate);
    if (!parts.matches()) {
      throw new CommandFailed(
          ExitCode.USAGE, "--rate is \"%s\"; it must be like 50/s, 30/m or 100/h.".formatted(rate));
    }
    double number = Double.parseDouble(parts.group(1));
    return switch (parts.group(2) == null ? "s" : parts.group(2)) {
      case "m" -> number / 60;
      case "h" -> number / 3600;
      default -> number;
    };
  }

  /** Leaves out what was not given. */
  protected static void put(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }
}
