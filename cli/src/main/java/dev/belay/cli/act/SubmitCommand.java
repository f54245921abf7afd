package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.TaskLog;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.command.Warnings;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Printable;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import dev.belay.workflow.Durations;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits one task. */
@Command(
    name = "submit",
    description = {
      "Submit one task and print its id.",
      "With --wait, also print its output and outcome; exit 0 only if it SUCCEEDED."
    },
    footer = {
      "  belay submit -- /bin/echo hi",
      "  belay submit --wait --retry 3 --timeout 10m -- ./load.sh 2026-01-01",
      "  belay submit --delay 5m -- ./check.sh",
      "  belay submit --run-at 2026-12-24T18:00:00+01:00 -- ./gifts.sh",
      "  belay submit --name nightly --env DAY=monday --script-file nightly.sh"
    })
public final class SubmitCommand extends ClientCommand {

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The program and its arguments, after --; no shell is involved.")
  List<String> command = List.of();

  @Option(names = "--wait", description = "Wait until it is over.")
  boolean wait;

  @Option(names = "--name", paramLabel = "NAME", description = "The task's name.")
  @Nullable String name;

  @Option(names = "--env", paramLabel = "K=V", description = "An environment variable.")
  Map<String, String> env = Map.of();

  @Option(names = "--priority", paramLabel = "1..100", description = "Higher goes first.")
  @Nullable Integer priority;

  @Option(names = "--pool", paramLabel = "POOL", description = "Run it on workers of this pool.")
  @Nullable String pool;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Run it on workers of any pool of this topic.")
  @Nullable String topic;

  @Option(
      names = "--requires",
      paramLabel = "CAPABILITY",
      description = "What its pool or its worker must have.")
  List<String> requires = List.of();

  @Option(names = "--slots", paramLabel = "N", description = "How many slots it takes.")
  @Nullable Integer slots;

  @Option(names = "--label", paramLabel = "K=V", description = "A label.")
  Map<String, String> labels = Map.of();

  @Option(names = "--retry", paramLabel = "N", description = "Retry up to N times on failure.")
  @Nullable Integer retry;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Time limit of each attempt, like 30s or 1h30m.")
  @Nullable String timeout;

  @Option(
      names = "--stall-timeout",
      paramLabel = "DURATION",
      description = "End an attempt that prints nothing for this long.")
  @Nullable String stallTimeout;

  @Option(
      names = "--stop-grace",
      paramLabel = "DURATION",
      description = "Time between SIGTERM and SIGKILL when it is stopped, up to 1h.")
  @Nullable String stopGrace;

  @Option(
      names = "--deadline",
      paramLabel = "DURATION",
      description = "Time limit of the whole task from now on, including its delay and retries.")
  @Nullable String deadline;

  @Option(
      names = "--delay",
      paramLabel = "DURATION",
      description = "Start it this long after the submit, not at once.")
  @Nullable String delay;

  @Option(
      names = "--run-at",
      paramLabel = "TIME",
      description = "Start it at this time, like 2026-12-24T18:00:00Z; with Z or an offset.")
  @Nullable String runAt;

  @Option(
      names = "--on-worker-lost",
      paramLabel = "retry|fail",
      description = "What to do when its worker is lost.")
  @Nullable String onWorkerLost;

  @Option(
      names = "--fencing",
      paramLabel = "token|strict",
      description = "strict: a lost attempt ends before the next one starts.")
  @Nullable String fencing;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The task's tenant.")
  @Nullable String tenant;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Submitting the same task again with this key returns the first id.")
  @Nullable String idempotencyKey;

  @Option(
      names = "--unique-key",
      paramLabel = "KEY",
      description = "Do not submit it while another task of the tenant holds this key.")
  @Nullable String uniqueKey;

  @Option(
      names = "--unique-while",
      paramLabel = "queued|unfinished|TIME",
      description = {
        "How long it holds the key: until it starts, until it has ended (the default),",
        "or for a time from now, like 1h."
      })
  @Nullable String uniqueWhile;

  @Option(
      names = "--on-conflict",
      paramLabel = "reject|existing|replace",
      description = {
        "When another task holds the key: fail (the default), answer with that task,",
        "or end it and take its place."
      })
  @Nullable String onConflict;

  @Option(
      names = "--script-file",
      paramLabel = "FILE",
      description = "Run this script instead of a command; its text goes to the server.")
  @Nullable Path scriptFile;

  public SubmitCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var body = body();
    String key = idempotencyKey != null ? idempotencyKey : surroundings.ids().next().toString();
    try (var client = connect()) {
      var answer = client.postOnce(new Query("/tasks"), body, key);
      String id = Json.text(answer, "id");
      Warnings.of(answer).forEach(this::note);
      if (!wait) {
        printAnswer(answer, id);
        return ExitCode.OK;
      }
      return follow(client, id);
    }
  }

  private void printAnswer(JsonNode answer, String id) {
    if (json()) {
      print(answer);
    } else {
      print(id);
      if (answer.path("existing").asBoolean()) {
        note(
            "It was there before: it holds the key, and is %s."
                .formatted(Json.text(answer, "state")));
      }
    }
  }

  private ExitCode follow(BelayClient client, String id) throws CommandFailed {
    if (!json()) {
      print(id);
    }
    var signals = surroundings.signals().get();
    signals.interrupt(Thread.currentThread());
    try {
      return end(client, id);
    } catch (CommandFailed e) {
      if (!signals.requested()) {
        throw e;
      }
      note("Detached; the task continues. Follow it: belay logs -f %s".formatted(id));
      note("End it: belay cancel %s".formatted(id));
      return ExitCode.INTERRUPTED;
    }
  }

  private ExitCode end(BelayClient client, String id) throws CommandFailed {
    var out = json() ? OutputStream.nullOutputStream() : Printable.logs(surroundings);
    var log =
        new TaskLog(client, id, out, surroundings.ticker())
            .telling(surroundings.ticker(), times, this::note);
    var task = log.follow(1, attempt -> noteRetry(attempt));
    surroundings.out().flush();
    String state = Json.text(task, "state");
    if (json()) {
      print(task);
    } else {
      print(style.state(state) + took(task));
    }
    return state.equals("SUCCEEDED") ? ExitCode.OK : ExitCode.FAILED;
  }

  private void noteRetry(int attempt) {
    if (attempt > 1 && !json()) {
      note(style.dim("--- attempt " + attempt));
    }
  }

  private String took(JsonNode task) {
    var from = Json.time(task, "created_at");
    var to = Json.time(task, "ended_at");
    String reason = Json.text(task, "reason");
    String took =
        from == null || to == null ? "" : " after " + Times.exact(Duration.between(from, to));
    return Json.text(task, "state").equals("SUCCEEDED") || reason.isEmpty()
        ? took
        : took
            + ": "
            + Style.clean(reason)
            + " (details: belay task "
            + Json.text(task, "id")
            + ")";
  }

  private ObjectNode body() throws CommandFailed {
    if (command.isEmpty() == (scriptFile == null)) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Give either a command after --, or --script-file. For example: belay submit -- /bin/echo"
              + " hi");
    }
    var body = Json.object();
    if (scriptFile != null) {
      body.put("script", TextFile.read(scriptFile));
    } else {
      var argv = body.putArray("command");
      command.forEach(argv::add);
    }
    putIfGiven(body, "name", name);
    putIfGiven(body, "execution_timeout", timeout);
    putIfGiven(body, "stall_timeout", stallTimeout);
    putIfGiven(body, "stop_grace", stopGrace);
    putIfGiven(body, "deadline", deadline);
    putIfGiven(body, "delay", delay);
    putIfGiven(body, "run_at", runAt);
    putIfGiven(body, "on_worker_lost", onWorkerLost);
    putIfGiven(body, "fencing", fencing);
    putIfGiven(body, "pool", pool);
    putIfGiven(body, "topic", topic);
    putIfGiven(body, "tenant", tenant);
    putUnique(body);
    putIfGiven(body, "env", env);
    putIfGiven(body, "labels", labels);
    if (!requires.isEmpty()) {
      var list = body.putArray("requires");
      requires.forEach(list::add);
    }
    if (slots != null) {
      body.put("slots", slots);
    }
    if (priority != null) {
      body.put("priority", priority);
    }
    if (retry != null) {
      body.putObject("retry").put("max", retry);
    }
    return body;
  }

  private void putUnique(ObjectNode body) throws CommandFailed {
    if (uniqueKey == null) {
      if (uniqueWhile != null || onConflict != null) {
        throw new CommandFailed(
            ExitCode.USAGE, "--unique-while and --on-conflict need --unique-key KEY.");
      }
      return;
    }
    var unique = body.putObject("unique").put("key", uniqueKey);
    if (uniqueWhile != null && Durations.parse(uniqueWhile).isPresent()) {
      unique.putObject("while").put("for", uniqueWhile);
    } else {
      putIfGiven(unique, "while", uniqueWhile);
    }
    putIfGiven(unique, "on_conflict", onConflict);
  }

  private static void putIfGiven(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }

  private static void putIfGiven(ObjectNode body, String field, Map<String, String> values) {
    if (!values.isEmpty()) {
      var node = body.putObject(field);
      values.forEach(node::put);
    }
  }
}
