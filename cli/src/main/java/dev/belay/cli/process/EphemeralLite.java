package dev.belay.cli.process;

import dev.belay.cli.client.Connection;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A lite for one run, on a free port and in a folder that goes with it. */
public final class EphemeralLite implements AutoCloseable {

  private static final String PREFIX = "belay-run-";

  private final Path folder;
  private final Lite lite;

  private EphemeralLite(Path folder, Lite lite) {
    this.folder = folder;
    this.lite = lite;
  }

  public static EphemeralLite start(int slots, Surroundings surroundings) throws CommandFailed {
    var folder = make(new DataFolders(surroundings).temporary());
    try {
      Leftovers.removeBeside(folder, PREFIX, surroundings.clock().instant());
      LogFile.open(folder, surroundings.variable("BELAY_DEBUG") != null);
      var settings = new LiteSettings(folder, LiteSettings.HOST_DEFAULT, 0, slots, true);
      return new EphemeralLite(folder, Lite.start(settings, surroundings));
    } catch (CommandFailed | RuntimeException e) {
      Leftovers.remove(folder);
      throw e;
    }
  }

  public Connection connection() throws CommandFailed {
    return lite.connection();
  }

  /** Completes with a reason for people when a part ended by itself. */
  public CompletableFuture<String> broken() {
    return lite.broken();
  }

  @Override
  public void close() {
    lite.close();
    LogFile.close();
    Leftovers.remove(folder);
  }

  private static Path make(Path parent) throws CommandFailed {
    try {
      return Files.createTempDirectory(parent, PREFIX);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "Cannot make a folder in %s: %s. Set TMPDIR to one that can be written, or start `belay lite --dir FOLDER` first."
              .formatted(parent, e.getMessage()),
          e);
    }
  }
}
