package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stops one trigger of a workflow from firing, or lets it fire again. */
public abstract class TriggerPauseCommand extends PostCommand {

  @Parameters(paramLabel = "WORKFLOW", description = "The workflow.")
  String name;

  @Option(
      names = "--trigger",
      paramLabel = "NAME",
      required = true,
      description = "The trigger, as `belay schedule WORKFLOW` shows it.")
  String trigger;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  private final String verb;

  private TriggerPauseCommand(CommandContext surroundings, String verb) {
    super(surroundings);
    this.verb = verb;
  }

  @Override
  final Query query() {
    return new Query(
            "/workflows/%s/triggers/%s/%s".formatted(Query.part(name), Query.part(trigger), verb))
        .with("tenant", tenant);
  }

  /** Pauses. */
  @Command(
      name = "pause",
      description = {
        "Skip the instants of one trigger from now on; the others of the workflow still fire.",
        "`belay pause WORKFLOW` pauses the whole workflow."
      },
      footer = {
        "  belay schedule pause etl --trigger nightly",
        "  belay schedule pause etl --trigger \"cron 0 2 * * *\""
      })
  public static final class Pause extends TriggerPauseCommand {
    public Pause(CommandContext surroundings) {
      super(surroundings, "pause");
    }

    @Override
    void tell(JsonNode answer) {
      var at = Json.time(answer, "paused_at");
      var since =
          at == null
              ? ""
              : " since %s by %s"
                  .formatted(times.dateTime(at), Style.clean(Json.text(answer, "paused_by")));
      print(
          "The trigger %s of %s is paused%s. Its instants are skipped until it is resumed."
              .formatted(trigger, name, since));
      note(
          style.dim("Resume it: belay schedule resume %s --trigger '%s'".formatted(name, trigger)));
    }
  }

  /** Resumes. */
  @Command(
      name = "resume",
      description = {
        "Let a paused trigger fire again.",
        "Its `missed` decides about the instants that it skipped meanwhile."
      },
      footer = {
        "  belay schedule resume etl --trigger nightly",
        "  belay schedule etl --trigger nightly"
      })
  public static final class Resume extends TriggerPauseCommand {
    public Resume(CommandContext surroundings) {
      super(surroundings, "resume");
    }

    @Override
    void tell(JsonNode answer) {
      print(
          "The trigger %s of %s fires again. Its `missed` decides about the instants it skipped."
              .formatted(trigger, name));
      note(style.dim("See them: belay schedule %s --trigger '%s'".formatted(name, trigger)));
    }
  }
}
