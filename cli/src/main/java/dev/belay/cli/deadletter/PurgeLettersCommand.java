package dev.belay.cli.deadletter;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.Durations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Removes old dead letters. */
@Command(
    name = "purge",
    description = {
      "Remove dead letters that are older than this, also those that nobody has retried.",
      "Their tasks stay. The setting dead-letter-retention does the same by itself."
    },
    footer = {"  belay dlq purge --older-than 30d --dry-run", "  belay dlq purge --older-than 30d"})
public final class PurgeLettersCommand extends ClientCommand {

  @Option(
      names = "--older-than",
      required = true,
      paramLabel = "TIME",
      description = "The age, such as 30d or 12h.")
  String olderThan;

  @Option(names = "--dry-run", description = "Only count them.")
  boolean dryRun;

  PurgeLettersCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (Durations.parse(olderThan).isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE, "--older-than must be a duration, such as 30d or 12h.");
    }
    var query = new Query("/dead-letters/purge");
    var body = Json.object().put("older_than", olderThan).put("dry_run", dryRun);
    try (var client = connect()) {
      long letters = 0;
      long open = 0;
      while (true) {
        var answer = client.post(query, body);
        letters += answer.path(dryRun ? "would_remove" : "removed").asLong();
        open += answer.path("open").asLong();
        if (!answer.path("more").asBoolean()) {
          break;
        }
      }
      if (json()) {
        print(Json.object().put(dryRun ? "would_remove" : "removed", letters).put("open", open));
      } else {
        print(
            "%s %d dead letters, of which %d were not retried."
                .formatted(dryRun ? "Would remove" : "Removed", letters, open));
      }
      return ExitCode.OK;
    }
  }
}
