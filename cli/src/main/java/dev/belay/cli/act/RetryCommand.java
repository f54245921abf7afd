package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Retries the failed tasks of a run. */
@Command(
    name = "retry",
    description = {
      "Retry the tasks of a run that did not succeed; keep the successful ones.",
      "The run must have ended FAILED or CANCELLED. It waits for its turn (max_active, pause)."
    },
    footer = {"  belay retry 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11", "  belay runs --state FAILED"})
public final class RetryCommand extends PostCommand {

  @Parameters(paramLabel = "RUN", description = "The id of the run.")
  String run;

  public RetryCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  Query query() throws CommandFailed {
    return new Query("/runs/%s/retry".formatted(id(run)));
  }

  @Override
  void tell(JsonNode answer) {
    int tasks = answer.path("tasks").asInt();
    print("Retrying the run %s with %d %s.".formatted(run, tasks, tasks == 1 ? "task" : "tasks"));
    note(style.dim("See it: belay show " + run));
  }
}
