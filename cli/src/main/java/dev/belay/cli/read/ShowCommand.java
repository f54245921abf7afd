package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the history of a task or a run. */
@Command(
    name = "show",
    description =
        "Show the history of a run or a task: each state with its time, duration and reason.",
    footer = {
      "  belay show 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11",
      "  belay show 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 -o json"
    })
public class ShowCommand extends ClientCommand {

  private static final int TASKS_SHOWN_MAX = 100;

  @Parameters(paramLabel = "ID", description = "The id of a run or a task.")
  String id;

  public ShowCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(id);
    try (var client = connect()) {
      if (found(() -> showTask(client)) || found(() -> showRun(client))) {
        return ExitCode.OK;
      }
      throw noRunOrTask(id, client);
    }
  }

  final void showTask(BelayClient client) throws CommandFailed {
    var task = client.fetch(new Query("/tasks/" + id));
    var attempts = client.fetch(new Query("/tasks/" + id + "/attempts"));
    var history = client.fetch(new Query("/tasks/" + id + "/history"));
    if (json()) {
      var all = Json.object();
      all.set("task", task);
      all.set("attempts", attempts.path("items"));
      all.set("history", history.path("items"));
      print(all);
    } else {
      printAll(new TaskDetails(task, history, attempts, style, times).lines());
    }
  }

  private void showRun(BelayClient client) throws CommandFailed {
    var run = client.fetch(new Query("/runs/" + id));
    var history = client.fetch(new Query("/runs/" + id + "/history"));
    var tasks = client.list(new Query("/tasks").with("run", id), json() ? 10_000 : TASKS_SHOWN_MAX);
    if (json()) {
      var all = Json.object();
      all.set("run", run);
      all.set("tasks", tasks.path("items"));
      all.set("history", history.path("items"));
      all.set("chains", chains(client));
      print(all);
    } else {
      printAll(new RunDetails(run, history, tasks, style, times).lines());
      printAll(ChainText.lines(chains(client), style));
    }
  }

  /** Those that the ends of the run started; a server before chaining has none. */
  private JsonNode chains(BelayClient client) throws CommandFailed {
    var items = Json.object().putArray("items");
    found(
        () -> client.fetch(new Query("/runs/" + id + "/chains")).path("items").forEach(items::add));
    return items;
  }
}
