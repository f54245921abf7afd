package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A command outside the product, which the launcher of a clone runs. */
public abstract class CloneCommand extends BelayCommand {

  @Unmatched List<String> arguments = new ArrayList<>();

  private final String what;
  private final String name;
  private final String example;

  private CloneCommand(CommandContext surroundings, String what, String name, String example) {
    super(surroundings);
    this.what = what;
    this.name = name;
    this.example = example;
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    throw new CommandFailed(
        ExitCode.USAGE,
        "%s of a clone. Run `./belay %s %s` there."
            .formatted(what, name, arguments.isEmpty() ? example : String.join(" ", arguments)));
  }

  /** The benchmarks need the peers' jars. */
  @Command(
      name = "bench",
      description = "Measure Belay against its peers; run it in a clone as ./belay bench SCENARIO.",
      footer = {"  ./belay bench throughput --peers --limit"})
  public static final class Bench extends CloneCommand {
    public Bench(CommandContext surroundings) {
      super(surroundings, "The benchmarks are a module", "bench", "SCENARIO");
    }
  }

  /** The fuzzer starts its own server. */
  @Command(
      name = "fuzz",
      description =
          "Send seeded requests to a server that it starts; run it in a clone as ./belay fuzz"
              + " --seed N.",
      footer = {"  ./belay fuzz --requests 2000 --seed 1"})
  public static final class Fuzz extends CloneCommand {
    public Fuzz(CommandContext surroundings) {
      super(surroundings, "The fuzzer is a module", "fuzz", "--requests 2000 --seed 1");
    }
  }

  /** The simulator runs the engine on a model of the database. */
  @Command(
      name = "simulate",
      description =
          "Run Belay through simulated failures; run it in a clone as ./belay simulate --seeds"
              + " A..B.",
      footer = {"  ./belay simulate --seeds 1..500"})
  public static final class Simulate extends CloneCommand {
    public Simulate(CommandContext surroundings) {
      super(surroundings, "The simulator is a module", "simulate", "--seeds 1..500");
    }
  }

  /** The proofs are scripts. */
  @Command(
      name = "prove",
      description = "Run the proofs of a capability; run it in a clone as ./belay prove NAME.",
      footer = {"  ./belay prove --list", "  ./belay prove recovery/agent-killed"})
  public static final class Prove extends CloneCommand {
    public Prove(CommandContext surroundings) {
      super(surroundings, "The proofs are scripts in the proof folder", "prove", "--list");
    }
  }
}
