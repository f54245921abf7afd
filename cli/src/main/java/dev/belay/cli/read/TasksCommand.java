package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ListCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import dev.belay.domain.task.TaskState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists tasks. */
@Command(
    name = "tasks",
    description = "List tasks, the newest first.",
    footer = {
      "  belay tasks --state RUNNING,DISPATCHED",
      "  belay tasks --run 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 -o json"
    })
public final class TasksCommand extends ListCommand {

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description = "Only these: ${COMPLETION-CANDIDATES}.")
  @Nullable List<TaskState> states;

  @Option(names = "--run", paramLabel = "ID", description = "Only tasks of this run.")
  @Nullable String run;

  @Option(names = "--name", paramLabel = "NAME", description = "Only tasks of this name.")
  @Nullable String name;

  @Option(names = "--pool", paramLabel = "POOL", description = "Only tasks for this pool.")
  @Nullable String pool;

  @Option(names = "--worker", paramLabel = "ID", description = "Only tasks held by this worker.")
  @Nullable String worker;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only tasks of this tenant.")
  @Nullable String tenant;

  public TasksCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected Query query() throws CommandFailed {
    return new Query("/tasks")
        .with("state", states == null ? null : states.stream().map(Enum::name).toList())
        .with("run", run == null ? null : id(run))
        .with("name", name)
        .with("pool", pool)
        .with("worker", worker == null ? null : id(worker))
        .with("tenant", tenant);
  }

  @Override
  protected Table table() {
    return new Table("ID", "NAME", "STATE", "SINCE", "TRIES", "WORKER", "REASON");
  }

  @Override
  protected void add(Table table, JsonNode task) {
    table.add(
        text(task, "id"),
        text(task, "name"),
        state(task),
        ago(task, "state_since"),
        Cell.of(task.path("attempts").asText("0")),
        text(task, "worker_name"),
        text(task, "reason"));
  }

  @Override
  protected String nothing() {
    return "No tasks match. `belay submit -- COMMAND` submits one.";
  }
}
