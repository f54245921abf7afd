package dev.belay.cli.deadletter;

import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.Durations;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select dead letters. */
final class LetterFilter {

  @Option(
      names = "--reason",
      paramLabel = "CODE",
      description = "Only with this reason: no_pool_mapping, no_workers, dispatch_failed, failed.")
  @Nullable String reason;

  @Option(names = "--topic", paramLabel = "NAME", description = "Only tasks of this topic.")
  @Nullable String topic;

  @Option(names = "--workflow", paramLabel = "NAME", description = "Only tasks of its runs.")
  @Nullable String workflow;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  @Nullable String tenant;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only those written since: 2h ago, or 2026-01-31T12:00:00Z.")
  @Nullable String since;

  boolean isGiven() {
    return reason != null || topic != null || workflow != null || tenant != null || since != null;
  }

  Query on(Query query, InstantSource clock) throws CommandFailed {
    return query
        .with("reason", reason)
        .with("topic", topic)
        .with("workflow", workflow)
        .with("tenant", tenant)
        .with("since", since == null ? null : time(since, clock).toString());
  }

  private static Instant time(String text, InstantSource clock) throws CommandFailed {
    var ago = Durations.parse(text);
    if (ago.isPresent()) {
      return clock.instant().minus(ago.get());
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "--since must be a duration like 2h, or a time like 2026-01-31T12:00:00Z.");
    }
  }
}
