package dev.belay.cli.process;

import dev.belay.cli.client.DataFolders;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.embedded.EmbeddedPostgres;
import dev.belay.embedded.EmbeddedPostgresFailed;
import dev.belay.embedded.EmbeddedSettings;
import dev.belay.embedded.SupervisedPostgres;
import dev.belay.server.wiring.Machine;
import dev.belay.settings.DatabaseGroup;
import dev.belay.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** The PostgreSQL of a data folder. */
final class OwnPostgres {

  private final Path folder;
  private final CommandContext surroundings;

  OwnPostgres(Path folder, CommandContext surroundings) {
    this.folder = folder;
    this.surroundings = surroundings;
  }

  /**
   * @param values of lite; none: defaults
   * @param port 0 takes a free one
   * @param onStart receives each server: the first one, and each replacement of one that died
   */
  SupervisedPostgres start(
      boolean ephemeral,
      Optional<Settings> values,
      int port,
      Machine machine,
      Consumer<EmbeddedPostgres> onStart)
      throws EmbeddedPostgresFailed, IOException, CommandFailed, InterruptedException {
    boolean otherUser = EmbeddedPostgres.needsOtherUser();
    if (otherUser) {
      FolderAccess.open(folder);
    }
    var data = folder.resolve("postgres");
    var binaries = binaries(otherUser);
    var settings =
        ephemeral
            ? EmbeddedSettings.ephemeral(data, binaries)
            : EmbeddedSettings.persistent(data, binaries);
    var sized = values.map(chosen -> sized(settings, chosen)).orElse(settings);
    return SupervisedPostgres.start(
        sized.withPort(port), machine.random(), machine.ticker(), onStart);
  }

  private static EmbeddedSettings sized(EmbeddedSettings settings, Settings values) {
    return settings.withSizes(
        values.of(DatabaseGroup.POSTGRES_CONNECTIONS),
        Math.toIntExact(values.of(DatabaseGroup.POSTGRES_MEMORY) >> 20));
  }

  private Path binaries(boolean otherUser) throws IOException {
    var folders = new DataFolders(surroundings);
    var usual = folders.binaries().orElse(folder.resolve("postgres-binaries"));
    return otherUser ? FolderAccess.binaries(usual, folders.temporary()) : usual;
  }
}
