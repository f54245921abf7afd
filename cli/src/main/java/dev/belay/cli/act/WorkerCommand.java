package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes, revokes or allows a worker. */
public abstract class WorkerCommand extends PostCommand {

  @Parameters(
      paramLabel = "WORKER",
      description = "The id of the worker, or its name when no other has it.")
  String worker;

  private final String verb;
  private final String done;

  WorkerCommand(CommandContext surroundings, String verb, String done) {
    super(surroundings);
    this.verb = verb;
    this.done = done;
  }

  @Override
  final Query query() {
    return new Query("/workers/" + Query.part(worker) + "/" + verb);
  }

  @Override
  final void tell(JsonNode answer) {
    print(done.formatted(worker));
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
  public static final class Revoke extends WorkerCommand {
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
  public static final class Allow extends WorkerCommand {
    public Allow(CommandContext surroundings) {
      super(surroundings, "allow", "The worker %s may join. Start its agent now.");
    }
  }

  /** Forgets a worker that will not come back. */
  @Command(
      name = "remove-worker",
      description = {
        "Forget a worker that will not come back.",
        "What it still held ends as worker_gone and is tried elsewhere at once. A worker that is"
            + " connected is not removed."
      },
      footer = {"  belay workers", "  belay remove-worker build-7"})
  public static final class Remove extends WorkerCommand {
    public Remove(CommandContext surroundings) {
      super(surroundings, "remove", "The worker %s is removed. What it held is tried elsewhere.");
    }
  }
}
