package dev.belay.cli.declare;

import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes the declaration of a pool, topic or tenant. */
public abstract class DeleteDeclaredCommand extends ClientCommand {

  @Parameters(paramLabel = "NAME", description = "Its name.")
  String name;

  private final String kind;
  private final String effect;

  /**
   * @param effect what follows, for people
   */
  DeleteDeclaredCommand(CommandContext surroundings, String kind, String effect) {
    super(surroundings);
    this.kind = kind;
    this.effect = effect;
  }

  @Override
  protected final ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var answer = client.delete(new Query("/" + kind + "s/" + Query.part(name)));
      if (json()) {
        print(answer);
      } else {
        print("The %s %s is no longer declared. %s".formatted(kind, name, effect));
      }
      return ExitCode.OK;
    }
  }

  /** Removes the declaration of a pool. */
  @Command(
      name = "delete",
      description = {
        "Remove the declaration of a pool.",
        "Its workers and its tasks stay; it has no limit of its own any more."
      },
      footer = {"  belay pools delete gpu"})
  public static final class Pool extends DeleteDeclaredCommand {
    public Pool(CommandContext surroundings) {
      super(surroundings, "pool", "Its workers serve it as before, without a limit of its own.");
    }
  }

  /** Removes a topic. */
  @Command(
      name = "delete",
      description = {"Remove a topic.", "Tasks that name it find no pool until it is back."},
      footer = {"  belay topics delete etl.load"})
  public static final class Topic extends DeleteDeclaredCommand {
    public Topic(CommandContext surroundings) {
      super(surroundings, "topic", "No pool takes its tasks until it is declared again.");
    }
  }

  /** Removes the declaration of a tenant. */
  @Command(
      name = "delete",
      description = {
        "Remove the declaration of a tenant.",
        "Its tasks and workflows stay; it has the weight 1 and no limits."
      },
      footer = {"  belay tenants delete data"})
  public static final class Tenant extends DeleteDeclaredCommand {
    public Tenant(CommandContext surroundings) {
      super(surroundings, "tenant", "It has the weight 1 and no limits.");
    }
  }
}
