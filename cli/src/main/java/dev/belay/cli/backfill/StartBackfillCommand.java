package dev.belay.cli.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.ProgressWatch;
import dev.belay.cli.schedule.FireText;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a backfill, or lists what it would do. */
@Command(
    name = "start",
    description = {
      "Run a workflow once for each instant of a trigger in a range, and print the id.",
      "The range begins at --from and ends before --to. Its runs do not count against max_active."
    },
    footer = {
      "  belay backfill start etl --from 2026-01-01 --to 2026-03-01 --dry-run",
      "  belay backfill start etl --from 2026-01-01 --to 2026-03-01 --wait",
      "  belay backfill start etl --from 2026-01-01 --to 2026-03-01 --existing failed",
      "  belay backfill start b --cron \"0 0 * * *\" --from 2026-01-01 --to 2026-02-01",
      "  belay backfill start c --every 6h --from 2026-01-01 --to 2026-01-08 --param a=b"
    })
public final class StartBackfillCommand extends ClientCommand {

  private static final int PAGE = 1_000;
  private static final int LISTED_MAX = 1_000_000;

  @Parameters(paramLabel = "WORKFLOW", description = "The workflow.")
  String name;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "TIME",
      description =
          "The begin: a date or a time in the trigger's zone, or with an offset, such as"
              + " 2026-01-01T06:00:00Z.")
  String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TIME",
      description = "The end, which is not part of the range.")
  String to;

  @Option(
      names = "--trigger",
      paramLabel = "NAME",
      description = "The trigger whose instants count (default: the only one with times).")
  @Nullable String trigger;

  @Option(
      names = "--cron",
      paramLabel = "EXPR",
      description = "The instants of this expression instead of a trigger's.")
  @Nullable String cron;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --cron (default: UTC).")
  @Nullable String zone;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "An instant in each such period, such as 1d or 6h, counted from 1970.")
  @Nullable String every;

  @Option(names = "--back", description = "The newest instant first.")
  boolean back;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "How many of its runs may be open at a time (default: ${DEFAULT-VALUE}).")
  int concurrency = 1;

  @Option(
      names = "--existing",
      paramLabel = "WHICH",
      description = {
        "Instants that have a run: missing leaves them out (the default), failed repeats those",
        "whose newest run failed or was cancelled, all repeats every one."
      })
  String existing = "missing";

  @Option(
      names = "--param",
      paramLabel = "K=V",
      description = "A parameter of all its runs, over the trigger's.")
  Map<String, String> params = Map.of();

  @Option(names = "--dry-run", description = "List the instants and start nothing.")
  boolean dryRun;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "A dry run lists at most N instants (default: ${DEFAULT-VALUE}).")
  int limit = 1_000;

  @Option(
      names = "--wait",
      description = "Wait until it ends; exit status 1 unless all its runs succeeded.")
  boolean wait;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Starting again with this key and these options returns the first backfill.")
  @Nullable String idempotencyKey;

  StartBackfillCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      if (dryRun) {
        return list(client);
      }
      String key = idempotencyKey != null ? idempotencyKey : surroundings.ids().next().toString();
      var started = client.postOnce(query(), body(), key);
      String id = Json.text(started, "id");
      if (!wait) {
        if (json()) {
          print(started);
        } else {
          print(id);
          note(
              style.dim(
                  "%s instants. See it: belay backfill show %s"
                      .formatted(Json.text(started, "total"), id)));
        }
        return ExitCode.OK;
      }
      if (!json()) {
        print(id);
      }
      var ended =
          new ProgressWatch(client, surroundings, this::note)
              .until("/backfills/" + id, BackfillText::progress);
      if (json()) {
        print(ended);
      } else {
        printAll(BackfillText.lines(ended, style, times));
      }
      return BackfillText.succeeded(ended) ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private Query query() {
    return new Query("/workflows/" + Query.part(name) + "/backfills").with("tenant", tenant);
  }

  private ObjectNode body() {
    var body = Json.object();
    body.put("from", from).put("to", to);
    body.put("order", back ? "back" : "forward");
    body.put("concurrency", concurrency).put("existing", existing);
    put(body, "trigger", trigger);
    put(body, "cron", cron);
    put(body, "zone", zone);
    put(body, "every", every);
    if (!params.isEmpty()) {
      var values = body.putObject("params");
      params.forEach(values::put);
    }
    return body;
  }

  private static void put(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }

  private ExitCode list(BelayClient client) throws CommandFailed {
    if (limit < 1 || limit > LISTED_MAX) {
      throw new CommandFailed(ExitCode.USAGE, "--limit must be between 1 and " + LISTED_MAX + ".");
    }
    var items = Json.object().putArray("items");
    ObjectNode answer;
    String next = "";
    do {
      var body = body().put("dry_run", true).put("limit", Math.min(PAGE, limit - items.size()));
      if (!next.isEmpty()) {
        body.put("cursor", next);
      }
      answer = (ObjectNode) client.post(query(), body);
      answer.path("items").forEach(items::add);
      next = Json.text(answer, "next");
    } while (!next.isEmpty() && items.size() < limit);
    answer.set("items", items);
    if (json()) {
      print(answer);
      return ExitCode.OK;
    }
    table(answer, items);
    return ExitCode.OK;
  }

  private void table(JsonNode answer, JsonNode items) {
    String in = Json.text(answer, "zone");
    var table = new Table("INSTANT", "LOCAL TIME", "ACTION", "REASON");
    int toRun = 0;
    for (JsonNode item : items) {
      if (Json.text(item, "action").equals("run")) {
        toRun++;
      }
      table.add(
          Cell.of(Json.text(item, "at")),
          Cell.of(local(item, "at", in)),
          Cell.of(Json.text(item, "action")),
          Cell.of(Style.clean(Json.text(item, "reason"))));
    }
    printAll(table.lines(style));
    note(
        "%s instants of '%s' from %s until %s."
            .formatted(
                Json.text(answer, "total"),
                Style.clean(Json.text(answer, "trigger")),
                local(answer, "from", in),
                local(answer, "to", in)));
    note(
        "%d listed: %d would run, %d would be skipped. Nothing was started."
            .formatted(items.size(), toRun, items.size() - toRun));
  }

  private static String local(JsonNode of, String field, String zone) {
    var at = Json.time(of, field);
    return at == null ? "" : FireText.local(at, zone);
  }
}
