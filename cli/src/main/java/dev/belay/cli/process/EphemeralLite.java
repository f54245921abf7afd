package dev.belay.cli.process;

import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.client.ServerAddress;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A lite for one run, on a free port and in a folder that is deleted at the end. */
public final class EphemeralLite implements AutoCloseable {

  private static final String PREFIX = "belay-run-";
  private static final String WARM_UP =
      """
      name: belay-warm-up
      tasks:
        - {name: a, command: [/bin/sh, -c, ":"]}
        - {name: b, command: [/bin/sh, -c, ":"], depends_on: [a]}
      """;

  private final Path folder;
  private final Lite lite;

  private EphemeralLite(Path folder, Lite lite) {
    this.folder = folder;
    this.lite = lite;
  }

  public static EphemeralLite start(int slots, CommandContext surroundings) throws CommandFailed {
    var folder = make(new DataFolders(surroundings).temporary());
    try {
      Leftovers.removeBeside(folder, PREFIX, surroundings.clock().instant());
      LogFile.open(folder, surroundings.variable("BELAY_DEBUG") != null);
      var values =
          Settings.of(ProcessKind.LITE, "port=0", "slots=" + slots, "postgres-memory=64MiB");
      return new EphemeralLite(
          folder, Lite.start(new LiteSettings(folder, values, true), surroundings));
    } catch (CommandFailed | RuntimeException e) {
      Leftovers.remove(folder);
      throw e;
    }
  }

  /**
   * Runs two small tasks through the whole system, so the person's run does not pay for cold code.
   * They are in a database that is deleted later; a failure here will show in that run, too.
   */
  public void warmUp(BelayClient client) throws CommandFailed {
    client.register(Path.of("warm-up.yaml"), WARM_UP);
    var run = client.post(new Query("/workflows/belay-warm-up/runs"), Json.object());
    client.fetch(new Query("/runs/" + Json.text(run, "id")).with("wait", "5s"));
  }

  public ServerAddress connection() throws CommandFailed {
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
