package dev.belay.cli.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Pauses, resumes or cancels a backfill. */
public abstract class SteerBackfillCommand extends ClientCommand {

  @Parameters(paramLabel = "ID", description = "The id of the backfill.")
  String id;

  private final String verb;

  private SteerBackfillCommand(CommandContext surroundings, String verb) {
    super(surroundings);
    this.verb = verb;
  }

  ObjectNode body() {
    return Json.object();
  }

  /** Prints the answer for a person. */
  abstract void tell(JsonNode answer);

  @Override
  protected final ExitCode execute() throws CommandFailed {
    var query = new Query("/backfills/" + id(id) + "/" + verb);
    try (var client = connect()) {
      var answer = client.post(query, body());
      if (json()) {
        print(answer);
      } else {
        tell(answer);
      }
      return ExitCode.OK;
    }
  }

  /** Pauses. */
  @Command(
      name = "pause",
      description = "Let a backfill create no more runs; those that it created continue.",
      footer = {"  belay backfill pause 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
  public static final class Pause extends SteerBackfillCommand {
    Pause(CommandContext surroundings) {
      super(surroundings, "pause");
    }

    @Override
    void tell(JsonNode answer) {
      print("The backfill %s is paused. The runs that it created continue.".formatted(id));
      note(style.dim("Resume it: belay backfill resume " + id));
    }
  }

  /** Resumes. */
  @Command(
      name = "resume",
      description = "Let a paused backfill continue where it was.",
      footer = {"  belay backfill resume 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11"})
  public static final class Resume extends SteerBackfillCommand {
    Resume(CommandContext surroundings) {
      super(surroundings, "resume");
    }

    @Override
    void tell(JsonNode answer) {
      print("The backfill %s continues.".formatted(id));
    }
  }

  /** Cancels. */
  @Command(
      name = "cancel",
      description = {
        "End a backfill: once this command returns, no further run of it starts.",
        "Its QUEUED runs are cancelled; its RUNNING runs continue, unless --runs."
      },
      footer = {
        "  belay backfill cancel 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11",
        "  belay backfill cancel 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11 --runs"
      })
  public static final class Cancel extends SteerBackfillCommand {

    @Option(names = "--runs", description = "Cancel its RUNNING runs too.")
    boolean runs;

    Cancel(CommandContext surroundings) {
      super(surroundings, "cancel");
    }

    @Override
    ObjectNode body() {
      return Json.object().put("runs", runs);
    }

    @Override
    void tell(JsonNode answer) {
      print(
          "The backfill %s is cancelled; no further run of it starts. Runs cancelled: %s."
              .formatted(id, Json.text(answer, "runs_cancelled")));
    }
  }
}
