package dev.belay.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a bulk operation, or shows what it would change. */
public abstract class StartBulkCommand extends ClientCommand {

  private static final Pattern RATE = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(?:/([smh]))?");

  @Option(names = "--state", split = ",", paramLabel = "STATE", description = "Only these states.")
  @Nullable List<String> states;

  @Option(names = "--workflow", paramLabel = "NAME", description = "Only those of this workflow.")
  @Nullable String workflow;

  @Option(names = "--run", paramLabel = "ID", description = "Only tasks of this run.")
  @Nullable String run;

  @Option(names = "--name", paramLabel = "NAME", description = "Only tasks of this name.")
  @Nullable String name;

  @Option(names = "--pool", paramLabel = "POOL", description = "Only tasks for this pool.")
  @Nullable String pool;

  @Option(names = "--label", paramLabel = "K=V", description = "Only tasks with this label.")
  Map<String, String> labels = Map.of();

  @Option(
      names = "--since",
      paramLabel = "WHEN",
      description = "Only those created since then: an age like 24h, or a time.")
  @Nullable String since;

  @Option(
      names = "--before",
      paramLabel = "WHEN",
      description = "Only those created before: an age like 7d, or a time.")
  @Nullable String before;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  @Nullable String tenant;

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

  private StartBulkCommand(CommandContext surroundings) {
    super(surroundings);
  }

  abstract String kind();

  void add(ObjectNode body) {}

  @Override
  protected final ExitCode execute() throws CommandFailed {
    var body = body();
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
        confirm(preview(client, body));
      }
      String key = idempotencyKey != null ? idempotencyKey : surroundings.ids().next().toString();
      return started(client, client.postOnce(new Query("/bulk"), body, key));
    }
  }

  private static JsonNode preview(BelayClient client, ObjectNode body) throws CommandFailed {
    return client.post(new Query("/bulk"), body.deepCopy().put("dry_run", true));
  }

  private void confirm(JsonNode planned) throws CommandFailed {
    BulkText.preview(planned, style).forEach(line -> note(line));
    var what =
        "%s of %s %s"
            .formatted(kind(), BulkText.matches(planned.path("preview")), BulkText.what(kind()));
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
    var ended = new BulkWatch(client, surroundings, this::note).until(id);
    if (json()) {
      print(ended);
    } else {
      printAll(BulkText.lines(ended, style, times));
    }
    return Json.text(ended, "state").equals("DONE") ? ExitCode.OK : ExitCode.FAILED;
  }

  private ObjectNode body() throws CommandFailed {
    var body = Json.object();
    body.put("kind", kind());
    var filter = body.putObject("filter");
    if (states != null) {
      var list = filter.putArray("state");
      states.forEach(list::add);
    }
    put(filter, "workflow", workflow);
    put(filter, "run", run == null ? null : id(run));
    put(filter, "name", name);
    put(filter, "pool", pool);
    if (!labels.isEmpty()) {
      var given = filter.putObject("labels");
      labels.forEach(given::put);
    }
    put(filter, "created_since", since);
    put(filter, "created_before", before);
    put(filter, "tenant", tenant);
    put(body, "note", note);
    if (rate != null) {
      body.put("rate", perSecond(rate));
    }
    add(body);
    return body;
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

  private static void put(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }

  /** Cancels. */
  @Command(
      name = "cancel",
      description = {
        "Cancel all open tasks that match, or with --runs all open runs.",
        "Shows what matches and asks first. Tasks that are submitted later are not touched."
      },
      footer = {
        "  belay bulk cancel --state SCHEDULED --pool gpu --dry-run",
        "  belay bulk cancel --name load --label team=data --yes --wait",
        "  belay bulk cancel --runs --workflow etl"
      })
  public static final class Cancel extends StartBulkCommand {

    @Option(names = "--runs", description = "Cancel runs, not single tasks.")
    boolean runs;

    Cancel(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    String kind() {
      return runs ? "cancel_runs" : "cancel";
    }
  }

  /** Retries. */
  @Command(
      name = "retry",
      description = {
        "Run all tasks again that match and ended without success, or with --runs the failed tasks",
        "of all runs that match. Without --state: FAILED and TIMEOUT, or FAILED runs.",
        "Shows what matches and asks first. A task that fails again is not retried again."
      },
      footer = {
        "  belay bulk retry --state FAILED --workflow etl --since 24h --dry-run",
        "  belay bulk retry --state FAILED --workflow etl --since 24h --rate 50/s --wait",
        "  belay bulk retry --runs --workflow etl --since 24h"
      })
  public static final class Retry extends StartBulkCommand {

    @Option(names = "--runs", description = "Retry runs, not single tasks.")
    boolean runs;

    Retry(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    String kind() {
      return runs ? "retry_runs" : "retry";
    }
  }

  /** Changes priorities. */
  @Command(
      name = "priority",
      description = {
        "Give all open tasks that match another priority, from 1 to 100; higher goes first.",
        "Shows what matches and asks first."
      },
      footer = {
        "  belay bulk priority 90 --workflow etl --state SCHEDULED --dry-run",
        "  belay bulk priority 10 --label team=data --yes"
      })
  public static final class Priority extends StartBulkCommand {

    @Parameters(paramLabel = "1..100", description = "The priority.")
    int priority;

    Priority(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    String kind() {
      return "priority";
    }

    @Override
    void add(ObjectNode body) {
      body.put("priority", priority);
    }
  }
}
