package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says whether a worker may join; below {@code belay workers}. */
public abstract class WorkerAccessCommand extends ClientCommand {

  @Parameters(
      paramLabel = "WORKER",
      description = "The id of the worker, or its name when no other has it.")
  String worker;

  private final String verb;
  private final String done;

  WorkerAccessCommand(CommandContext surroundings, String verb, String done) {
    super(surroundings);
    this.verb = verb;
    this.done = done;
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var answer =
          client.post(new Query("/workers/" + Query.part(worker) + "/" + verb), Json.object());
      if (json()) {
        print(answer);
      } else {
        print(done.formatted(worker));
      }
      return ExitCode.OK;
    }
  }

  /** Keeps a worker out. */
  @Command(
      name = "revoke",
      description = {
        "Cut a worker off and keep it out: its key is not taken any more.",
        "What it holds ends as worker_gone and is tried elsewhere. Its agent stops by itself. Can"
            + " be repeated."
      },
      footer = {
        "  belay workers revoke build-7",
        "  belay workers revoke 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"
      })
  public static final class Revoke extends WorkerAccessCommand {
    public Revoke(CommandContext surroundings) {
      super(
          surroundings,
          "revoke",
          "The worker %s is revoked. What it held is tried elsewhere; its key is not taken any"
              + " more.");
    }
  }

  /** Lets a worker in again. */
  @Command(
      name = "allow",
      description = {
        "Let a worker join that was revoked, or that lost its key.",
        "Its key is forgotten: the next hello with its id sets a new one. Start the agent at once;"
            + " until then anybody with the join token could be first. Can be repeated."
      },
      footer = {"  belay workers allow 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
  public static final class Allow extends WorkerAccessCommand {
    public Allow(CommandContext surroundings) {
      super(surroundings, "allow", "The worker %s may join. Start its agent now.");
    }
  }
}
