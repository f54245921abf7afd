package dev.belay.cli.process;

import dev.belay.cli.client.DataFolders;
import dev.belay.cli.config.ProcessCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.Settings;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/** Runs everything in one process. */
@Command(
    name = "lite",
    description = {
      "Run PostgreSQL, a server and a worker in one process. Data is kept between starts.",
      "Ctrl-C stops it: running tasks get a moment to end and are retried at the next start.",
      "A second Ctrl-C ends it at once. It restarts a PostgreSQL that dies. Exit 0 after a",
      "stop by Ctrl-C or SIGTERM, 1 when it did not stop in order, 2 for bad arguments, 3 when it",
      "could not start, or lost a part that it needs."
    },
    footer = {
      "  belay lite",
      "  belay lite --port 0 --dir /var/lib/belay --slots 16",
      "  belay lite & belay wait-ready && belay submit --wait -- /bin/echo hi"
    })
public final class LiteCommand extends ProcessCommand {

  public LiteCommand(CommandContext surroundings) {
    super(ProcessKind.LITE, surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    var values = settings();
    var signals = surroundings.signals().get();
    var data = dataFolder(values);
    var log = LogFile.open(data, true);
    Lite lite;
    try (var parts = new Parts()) {
      parts.add(
          "record",
          RunningProcess.record(data, ProcessKind.LITE, surroundings.clock(), signals.first()));
      lite = Lite.start(new LiteSettings(data, values, false), surroundings);
      parts.add("lite", lite);
      if (!signals.requested() && !lite.broken().isDone()) {
        print(
            "Belay is ready at %s; data and log (%s) in %s."
                .formatted(lite.url(), log.getFileName(), data));
        print(lite.separation());
        print(
            "Try: %sbelay submit --wait -- /bin/echo hi   (Ctrl-C stops)".formatted(prefix(data)));
      }
      CompletableFuture.anyOf(signals.first(), lite.broken()).join();
      if (!signals.requested()) {
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "%s Everything else was stopped; data is kept. See %s, then start lite again."
                .formatted(lite.broken().join(), log));
      }
      note("Stopping; running tasks get a moment to end. Press Ctrl-C again to end at once.");
    }
    if (lite.failed().isEmpty()) {
      note("Stopped.");
      return ExitCode.OK;
    }
    throw new CommandFailed(
        ExitCode.FAILED,
        "These parts did not stop in order: %s. See %s."
            .formatted(String.join(", ", lite.failed()), log));
  }

  private Path dataFolder(Settings values) throws CommandFailed {
    var folder = values.find(ServerGroup.DIR);
    if (folder.isPresent()) {
      return DataFolders.require(folder.get());
    }
    var folders = new DataFolders(surroundings);
    var found =
        folders
            .writable()
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCode.UNREACHABLE,
                        "None of %s can be written. Choose a folder with --dir."
                            .formatted(folders.candidates())));
    if (!found.equals(folders.candidates().getFirst())) {
      note(
          "belay: %s cannot be written; data is kept in %s instead."
              .formatted(folders.candidates().getFirst(), found));
    }
    return found;
  }

  /** Other commands need it to find an unusual folder. */
  private String prefix(Path data) {
    return new DataFolders(surroundings).candidates().contains(data)
        ? ""
        : "BELAY_HOME=" + data + " ";
  }
}
