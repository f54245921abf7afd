package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds back the runs of a workflow, or lets them start again. */
public abstract class PauseCommand extends PostCommand {

  @Parameters(paramLabel = "WORKFLOW", description = "The name of the workflow.")
  String name;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  private final String verb;

  private PauseCommand(CommandContext surroundings, String verb) {
    super(surroundings);
    this.verb = verb;
  }

  @Override
  final Query query() {
    return new Query("/workflows/" + Query.part(name) + "/" + verb).with("tenant", tenant);
  }

  /** Pauses. */
  @Command(
      name = "pause",
      description = "Start no more runs of a workflow; active runs continue.",
      footer = {"  belay pause etl", "  belay workflows"})
  public static final class Pause extends PauseCommand {
    public Pause(CommandContext surroundings) {
      super(surroundings, "pause");
    }

    @Override
    void tell(JsonNode answer) {
      var at = Json.time(answer, "paused_at");
      var since =
          at == null
              ? ""
              : " since %s by %s".formatted(times.dateTime(at), Json.text(answer, "paused_by"));
      print(
          "The workflow %s is paused%s. Active runs continue; others wait.".formatted(name, since));
      note(style.dim("Resume it: belay resume " + name));
    }
  }

  /** Resumes. */
  @Command(
      name = "resume",
      description = "Let runs of a paused workflow start again, the oldest first.",
      footer = {"  belay resume etl", "  belay workflows"})
  public static final class Resume extends PauseCommand {
    public Resume(CommandContext surroundings) {
      super(surroundings, "resume");
    }

    @Override
    void tell(JsonNode answer) {
      print("The workflow %s is not paused. Waiting runs start, the oldest first.".formatted(name));
      note(style.dim("See them: belay runs --workflow " + name));
    }
  }
}
