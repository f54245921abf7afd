package dev.belay.cli.act;

import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Waits until a server is ready. */
@Command(
    name = "wait-ready",
    description = {
      "Wait until a server is ready. Without --server, also wait for a lite that is starting.",
      "Exit 0 when it is ready, 3 after the timeout."
    },
    footer = {
      "  belay lite & belay wait-ready && belay submit --wait -- /bin/echo hi",
      "  belay wait-ready --timeout 2m --server http://127.0.0.1:8080"
    })
public final class WaitReadyCommand extends ClientCommand {

  private static final Duration POLL = Duration.ofMillis(100);

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long to wait (default: ${DEFAULT-VALUE}).")
  String timeout = "30s";

  public WaitReadyCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var limit =
        Durations.parse(timeout)
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCode.USAGE,
                        "--timeout is not a duration: \"%s\". Write it like 30s or 2m."
                            .formatted(timeout)));
    long start = surroundings.ticker().getAsLong();
    while (true) {
      var ready = ready();
      if (ready.isPresent()) {
        if (json()) {
          print(Json.object().put("url", ready.get()));
        } else {
          print("ready: " + ready.get());
        }
        return ExitCode.OK;
      }
      if (surroundings.ticker().getAsLong() - start >= limit.toNanos()) {
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "No Belay was ready within %s. Is one starting? `belay lite` shows what goes wrong."
                .formatted(timeout));
      }
      pause();
    }
  }

  /** Looks for the server again each time: a lite may start, or restart elsewhere. */
  private Optional<String> ready() throws CommandFailed {
    var connections = finder().find();
    if (connections.isEmpty()) {
      return Optional.empty();
    }
    try (var client = new BelayClient(connections)) {
      return client.ready() ? Optional.of(client.connection().url().toString()) : Optional.empty();
    }
  }

  private static void pause() throws CommandFailed {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }
}
