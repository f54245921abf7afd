package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes, revokes, allows or trusts a worker. */
public abstract class WorkerCommand extends PostCommand {

  @Parameters(
      paramLabel = "WORKER",
      description = "The worker's id, or its name if that is unique.")
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
        "Disconnect a worker and keep it out: the server no longer accepts its key.",
        "Its attempts end as worker_gone, and the tasks are retried elsewhere. Its agent stops."
            + " Safe to repeat."
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
          "The worker %s is revoked. Its tasks are retried elsewhere; its key is no longer"
              + " accepted.");
    }
  }

  /** Lets a worker in again. */
  @Command(
      name = "allow",
      description = {
        "Let a worker join again that was revoked or lost its key.",
        "The server forgets its key; the next agent with its id sets a new one. Start the agent at"
            + " once: until then anyone with the join token could be first. Safe to repeat."
      },
      footer = {"  belay workers allow 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
  public static final class Allow extends WorkerCommand {
    public Allow(CommandContext surroundings) {
      super(surroundings, "allow", "The worker %s may join. Start its agent now.");
    }
  }

  /** Gives work to a worker again that was set aside. */
  @Command(
      name = "trust",
      description = {
        "Give work to a worker again that was set aside because tasks failed fast and often there.",
        "Look at it first: `belay alerts` says why. Its failures count anew. Safe to repeat."
      },
      footer = {"  belay workers", "  belay workers trust build-7"})
  public static final class Trust extends WorkerCommand {
    public Trust(CommandContext surroundings) {
      super(surroundings, "trust", "The worker %s gets work.");
    }
  }

  /** Forgets a worker that will not come back. */
  @Command(
      name = "remove-worker",
      description = {
        "Remove a worker that will not come back.",
        "Its attempts end as worker_gone, and the tasks are retried elsewhere at once. A connected"
            + " worker is not removed."
      },
      footer = {"  belay workers", "  belay remove-worker build-7"})
  public static final class Remove extends WorkerCommand {
    public Remove(CommandContext surroundings) {
      super(surroundings, "remove", "The worker %s is removed. Its tasks are retried elsewhere.");
    }
  }
}
