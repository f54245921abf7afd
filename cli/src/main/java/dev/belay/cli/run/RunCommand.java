package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.ApiRefused;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.Unreachable;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.LocalWorkflow;
import dev.belay.cli.process.Arguments;
import dev.belay.cli.process.EphemeralLite;
import dev.belay.cli.process.LiteSettings;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.StopSignals;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.Params;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a workflow file and shows it live. */
@Command(
    name = "run",
    description = {
      "Check a workflow file, run it, and show it until it is over.",
      "Uses the running server if there is one, else starts its own and removes it at the end.",
      "Exit 0 when the run SUCCEEDED, 1 when it failed or was cancelled, 2 for a bad file or",
      "arguments, 3 when no server could be reached or started, 130 after Ctrl-C."
    },
    footer = {
      "  belay run examples/hello.yaml",
      "  belay run etl.yaml --param day=2026-01-01",
      "  belay run etl.yaml -o json | jq .overhead_ms"
    })
public final class RunCommand extends ClientCommand {

  private static final Duration CANCEL_MAX = Duration.ofSeconds(20);
  private static final int CONFLICT = 409;

  @Parameters(paramLabel = "FILE", description = "A workflow file, YAML or JSON.")
  Path file;

  @Option(
      names = "--param",
      paramLabel = "K=V",
      description = "A parameter of the run, parsed as the type that the workflow declares.")
  Map<String, String> params = Map.of();

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Without a running server: run at most N tasks at a time.")
  int slots = LiteSettings.slotsDefault();

  public RunCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Arguments.checkSlots(slots);
    var workflow = LocalWorkflow.read(file);
    checkParams(workflow.spec());
    var signals = surroundings.signals().get();
    var running = runningServer();
    if (running.isPresent()) {
      try (var client = running.get()) {
        return run(client, workflow, signals, null);
      }
    }
    note("No server runs here: this run gets a temporary one, which is removed with its history.");
    try (var lite = EphemeralLite.start(slots, surroundings);
        var client = new BelayClient(lite.connection())) {
      lite.warmUp(client);
      return run(client, workflow, signals, lite);
    }
  }

  /** Checks them here: the server would register the workflow before it refuses them. */
  private void checkParams(WorkflowSpec spec) throws CommandFailed {
    if (params.isEmpty() && spec.params().isEmpty()) {
      return;
    }
    String now = surroundings.clock().instant().toString();
    var facts =
        Map.<String, Object>of(
            "id", surroundings.ids().next().toString(),
            "workflow", spec.name(),
            "tenant", spec.tenant(),
            "logical_date", now,
            "created_at", now);
    if (Params.resolve(spec, params, facts, new CelExpressions())
        instanceof Params.Refused(var messages)) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "The parameters do not fit %s; nothing was started.".formatted(file),
          messages,
          null);
    }
  }

  /** A named server must answer; a found one may just have died. */
  private Optional<BelayClient> runningServer() throws CommandFailed {
    var finder = finder();
    var connections = finder.find();
    if (connections.isEmpty()) {
      return Optional.empty();
    }
    var client = new BelayClient(connections);
    if (finder.isNamed() || client.ready()) {
      return Optional.of(client);
    }
    client.close();
    return Optional.empty();
  }

  private ExitCode run(
      BelayClient client, LocalWorkflow workflow, StopSignals signals, @Nullable EphemeralLite own)
      throws CommandFailed {
    if (signals.requested()) {
      return ExitCode.INTERRUPTED;
    }
    var view = new RunView(trigger(client, workflow));
    var graph = TaskGraph.of(workflow.spec());
    var progress = progress(graph, view);
    var watch = new RunWatch(client, view, progress, surroundings.ticker(), surroundings.clock());
    boolean over = watch(watch, progress, view, stop(signals, own));
    if (!over && own != null && !signals.requested()) {
      progress.close();
      throw new CommandFailed(
          ExitCode.UNREACHABLE, own.broken().join() + " The run was given up; start it again.");
    }
    if (!over && own == null) {
      progress.close();
      note("Detached; the run continues. Follow it: belay show %s".formatted(view.id()));
      note("End it: belay cancel %s".formatted(view.id()));
      return ExitCode.INTERRUPTED;
    }
    if (!over) {
      cancel(client, watch, view);
    }
    progress.close();
    var report = new RunReport(client, view, graph, style);
    report.sayFailures(notes());
    report.sayEnd(notes());
    if (json()) {
      print(report.json());
    }
    if (!over) {
      return ExitCode.INTERRUPTED;
    }
    return Json.text(view.run(), "state").equals("SUCCEEDED") ? ExitCode.OK : ExitCode.FAILED;
  }

  /** A long server outage ends the watching, not the run. */
  private boolean watch(RunWatch watch, Progress progress, RunView view, CompletableFuture<?> stop)
      throws CommandFailed {
    try {
      return watch.untilEndOr(stop);
    } catch (Unreachable e) {
      progress.close();
      note(
          "Stopped watching; the state of run %s is unknown. Check later: belay show %s"
              .formatted(view.id(), view.id()));
      throw e;
    }
  }

  private static CompletableFuture<?> stop(StopSignals signals, @Nullable EphemeralLite own) {
    return own == null ? signals.first() : CompletableFuture.anyOf(signals.first(), own.broken());
  }

  private JsonNode trigger(BelayClient client, LocalWorkflow workflow) throws CommandFailed {
    var registered = client.register(file, workflow.text());
    var body = Json.object();
    var values = body.putObject("params");
    params.forEach(values::put);
    if (registered.path("version").isInt()) {
      body.set("version", registered.path("version"));
    }
    var accepted =
        client.postOnce(
            new Query("/workflows/" + Query.part(workflow.spec().name()) + "/runs")
                .with("tenant", workflow.spec().tenant()),
            body,
            surroundings.ids().next().toString());
    return client.fetch(new Query("/runs/" + Json.text(accepted, "id")));
  }

  /** With -o json, stdout is only for the document. */
  private PrintStream notes() {
    return json() ? surroundings.err() : surroundings.out();
  }

  private Progress progress(TaskGraph graph, RunView view) {
    if (surroundings.terminal() && !json()) {
      var screen = Screen.of(surroundings);
      return new TreeProgress(surroundings.out(), style, times, graph, view, screen);
    }
    return new PlainProgress(notes(), surroundings.err(), times, view, surroundings.ticker());
  }

  private void cancel(BelayClient client, RunWatch watch, RunView view) throws CommandFailed {
    note("Cancelling the run; press Ctrl-C again to end at once.");
    try {
      client.post(new Query("/runs/" + view.id() + "/cancel"), Json.object());
    } catch (ApiRefused e) {
      if (e.status() != CONFLICT) {
        throw e;
      }
    }
    watch.untilEndOr(
        new CompletableFuture<Void>()
            .completeOnTimeout(null, CANCEL_MAX.toMillis(), TimeUnit.MILLISECONDS));
  }
}
