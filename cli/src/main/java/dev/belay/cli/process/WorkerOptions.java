package dev.belay.cli.process;

import dev.belay.agent.AgentSettings;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.process.TaskUser;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the worker of lite and a worker by itself have in common. */
public final class WorkerOptions {

  private static final int MIB_MAX = 1 << 20;

  @Option(
      names = "--task-user",
      paramLabel = "USER",
      description = {
        "Run tasks as this user, so that they cannot read tokens, logs and the journal; only as",
        "root (default: tasks run as the worker does)."
      })
  @Nullable String taskUser;

  @Option(
      names = "--disk-reserve",
      paramLabel = "MIB",
      description =
          "Space kept back for the journal of a worker whose disk is full (default:"
              + " ${DEFAULT-VALUE}).")
  int reserveMib = (int) (ReserveSettings.SPACE_BYTES_DEFAULT >> 20);

  @Option(
      names = "--disk-free-min",
      paramLabel = "MIB",
      description = "With less free space the worker takes no work (default: ${DEFAULT-VALUE}).")
  int freeMinMib = (int) (ReserveSettings.FREE_MIN_BYTES_DEFAULT >> 20);

  void check() throws CommandFailed {
    for (int mib : new int[] {reserveMib, freeMinMib}) {
      if (mib < 0 || mib > MIB_MAX) {
        throw new CommandFailed(
            ExitCode.USAGE,
            "--disk-reserve and --disk-free-min are from 0 to %d MiB, not %d."
                .formatted(MIB_MAX, mib));
      }
    }
  }

  /**
   * The user that tasks run as, checked.
   *
   * @param postgres folders of a PostgreSQL
   */
  Optional<TaskUser> user(List<Path> postgres) throws CommandFailed {
    try {
      return taskUser == null ? Optional.empty() : TaskUser.choose(taskUser, postgres);
    } catch (IOException e) {
      throw new CommandFailed(ExitCode.USAGE, sentence(String.valueOf(e.getMessage())), e);
    }
  }

  AgentSettings applied(AgentSettings settings, Optional<TaskUser> user, String umask) {
    return settings.with(
        new TaskAccount(user, Optional.of(umask)),
        new ReserveSettings(
            (long) reserveMib << 20, (long) freeMinMib << 20, ReserveSettings.DESCRIPTORS_DEFAULT));
  }

  /** Which separation is in force, for the start of a command. */
  static String separation(Optional<TaskUser> user) throws IOException {
    return sentence(new TaskAccount(user, Optional.empty()).separation(TaskUser.own())) + ".";
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
