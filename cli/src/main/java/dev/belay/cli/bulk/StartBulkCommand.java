package dev.belay.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a bulk operation on tasks or runs, or shows what it would change. */
public abstract class StartBulkCommand extends BulkRequestCommand {

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

  private StartBulkCommand(CommandContext surroundings) {
    super(surroundings);
  }

  abstract String kind();

  void add(ObjectNode body) {}

  @Override
  protected final ExitCode execute() throws CommandFailed {
    return request(body());
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
    add(body);
    return body;
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
