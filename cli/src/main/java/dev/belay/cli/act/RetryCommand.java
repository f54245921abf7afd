package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Retries the failed tasks of a run, or one task. */
@Command(
    name = "retry",
    description = {
      "Retry the tasks of a run that did not succeed, or one task with what it decided.",
      "A run must have ended FAILED or CANCELLED. It waits for its turn (max_active, pause)."
    },
    footer = {"  belay retry 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11", "  belay runs --state FAILED"})
public final class RetryCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of a run or a task.")
  String id;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Of a task: why, for the history. At most 400 characters.")
  String note = "";

  public RetryCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(id);
    try (var client = connect()) {
      boolean isRun = note.isEmpty() && found(() -> run(ask(client, "runs")));
      if (isRun || found(() -> task(ask(client, "tasks")))) {
        return ExitCode.OK;
      }
      throw noRunOrTask(id, client);
    }
  }

  private JsonNode ask(BelayClient client, String kind) throws CommandFailed {
    var body = Json.object();
    if (!note.isEmpty()) {
      body.put("note", note);
    }
    return client.post(new Query("/%s/%s/retry".formatted(kind, id)), body);
  }

  private void run(JsonNode answer) {
    if (json()) {
      print(answer);
      return;
    }
    int tasks = answer.path("tasks").asInt();
    print("Retrying the run %s with %d %s.".formatted(id, tasks, tasks == 1 ? "task" : "tasks"));
    note(style.dim("See it: belay show " + id));
  }

  private void task(JsonNode answer) {
    if (json()) {
      print(answer);
      return;
    }
    SteerText.of(answer, id).forEach(this::print);
    note(style.dim("See it: belay task " + id));
  }
}
