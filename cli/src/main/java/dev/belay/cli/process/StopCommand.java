package dev.belay.cli.process;

import dev.belay.cli.client.DataFolders;
import dev.belay.cli.client.Endpoint;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.OutputFormat;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Stops the processes of a data folder in order. */
@Command(
    name = "stop",
    description = {
      "Stop the lite, server or agent of a data folder in order, and wait until it has ended.",
      "It takes no new work; running tasks get a moment to end, and are tried again elsewhere or"
          + " at",
      "the next start. Exit 0 when nothing runs in the folder any more, 1 when a process did not"
          + " end",
      "in time."
    },
    footer = {
      "  belay stop",
      "  belay stop --dir /var/lib/belay-agent --timeout 5m",
      "  belay stop --kill --timeout 30s"
    })
public final class StopCommand extends BelayCommand {

  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration KILLED_MAX = Duration.ofSeconds(10);

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "The data folder of the process (default: the one of `belay lite`).")
  @Nullable Path folder;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long to wait for each process (default: ${DEFAULT-VALUE}).")
  String timeout = "1m";

  @Option(
      names = "--kill",
      description = "Kill a process that has not ended by then; nothing that it accepted is lost.")
  boolean kill;

  @Option(
      names = {"-o", "--output"},
      order = 90,
      paramLabel = "FORMAT",
      description = "table or json.")
  OutputFormat output = OutputFormat.TABLE;

  public StopCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Duration patience =
        Durations.parse(timeout)
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCode.USAGE,
                        "--timeout is not a duration: \"%s\". Write it like 30s or 2m."
                            .formatted(timeout)));
    var folders = folders();
    var stopped = new ArrayList<String>();
    var killed = new ArrayList<String>();
    for (Path each : folders) {
      for (RunningProcess running : live(each)) {
        (stop(running, patience) ? stopped : killed).add(running.toString());
      }
    }
    tell(folders, stopped, killed);
    return ExitCode.OK;
  }

  private List<Path> folders() throws CommandFailed {
    var chosen =
        folder == null
            ? new DataFolders(surroundings).candidates()
            : List.of(folder.toAbsolutePath().normalize());
    for (Path each : chosen) {
      if (Files.exists(each.resolve(Endpoint.CLUSTER_FILE_NAME))) {
        throw new CommandFailed(
            ExitCode.USAGE,
            "%s is the folder of a cluster. Stop it with `belay cluster down --dir %s`."
                .formatted(each, each));
      }
    }
    return chosen;
  }

  private static List<RunningProcess> live(Path folder) throws CommandFailed {
    try {
      return RunningProcess.live(folder);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.FAILED, "Cannot tell what runs in %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  /**
   * @return false when it had to be killed
   */
  private boolean stop(RunningProcess running, Duration patience) throws CommandFailed {
    OsProcess process = running.process();
    if (process.state() == OsProcess.State.FROZEN && !kill) {
      throw new CommandFailed(
          ExitCode.FAILED,
          "%s is frozen (SIGSTOP), so it cannot stop. Wake it with `kill -CONT %d`, or use --kill."
              .formatted(running, process.pid()));
    }
    note(
        (ask(running)
                ? "Stopping %s; its running tasks get a moment to end."
                : "%s is stopping already.")
            .formatted(running));
    if (process.state() != OsProcess.State.FROZEN && ends(process, patience)) {
      return true;
    }
    if (!kill) {
      throw new CommandFailed(
          ExitCode.FAILED,
          "%s has not ended after %s and is still stopping. Wait for it with `belay stop`, or end it with --kill: its tasks are then tried again."
              .formatted(running, Durations.format(patience)));
    }
    process.kill();
    if (!ends(process, KILLED_MAX)) {
      throw new CommandFailed(
          ExitCode.FAILED, "%s does not end, although it was killed.".formatted(running));
    }
    return false;
  }

  private static boolean ask(RunningProcess running) throws CommandFailed {
    try {
      return running.askToStop();
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.FAILED,
          "Cannot stop %s: %s. Are you another user?".formatted(running, e.getMessage()),
          e);
    }
  }

  private boolean ends(OsProcess process, Duration atMost) throws CommandFailed {
    long start = surroundings.ticker().getAsLong();
    while (process.isLive()) {
      if (surroundings.ticker().getAsLong() - start > atMost.toNanos()) {
        return false;
      }
      try {
        Thread.sleep(POLL);
      } catch (InterruptedException e) {
        throw CommandFailed.interrupted();
      }
    }
    return true;
  }

  private void tell(List<Path> folders, List<String> stopped, List<String> killed) {
    if (output == OutputFormat.JSON) {
      var node = Json.object();
      var in = node.putArray("folders");
      folders.forEach(each -> in.add(each.toString()));
      var names = node.putArray("stopped");
      stopped.forEach(names::add);
      var forced = node.putArray("killed");
      killed.forEach(forced::add);
      print(Json.pretty(node));
      return;
    }
    stopped.forEach(each -> print("Stopped " + each + "."));
    killed.forEach(each -> print("Killed " + each + ": it did not end in time."));
    if (stopped.isEmpty() && killed.isEmpty()) {
      print(
          "No Belay process runs in %s."
              .formatted(String.join(" or ", folders.stream().map(Path::toString).toList())));
    }
  }
}
