package dev.belay.cli.config;

import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.client.DataFolders;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.settings.ConfigFile;
import dev.belay.settings.Layers;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.Setting;
import dev.belay.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a person gave to a command that runs a process or asks about one.
 *
 * @param file from {@code --config}
 * @param assignments from {@code --set}
 * @param flags of single settings
 */
record GivenSettings(
    ProcessKind process,
    @Nullable Path file,
    List<String> assignments,
    Map<Setting<?>, String> flags) {

  private static final String VARIABLE = "BELAY_CONFIG";

  /** The settings of a starting process; fails with all problems at once. */
  Settings resolve(CommandContext surroundings, Consumer<String> tell) throws CommandFailed {
    return settings(collect(surroundings, tell).resolve());
  }

  /** Like {@link #resolve}, but required settings may be missing. */
  Settings preview(CommandContext surroundings, Consumer<String> tell) throws CommandFailed {
    return settings(collect(surroundings, tell).preview());
  }

  private Layers collect(CommandContext surroundings, Consumer<String> tell) throws CommandFailed {
    var layers = new Layers(process);
    var found = find(surroundings);
    if (found.isPresent()) {
      layers.file(read(found.get()));
    }
    layers.environment(surroundings.env());
    flags.forEach((setting, text) -> layers.flag(setting, setting.flag(), text));
    assignments.forEach(layers::assignment);
    found.ifPresent(file -> tell.accept("Settings from " + file + "."));
    return layers;
  }

  private static Settings settings(Layers.Resolved resolved) throws CommandFailed {
    if (resolved.settings().isPresent()) {
      return resolved.settings().get();
    }
    int count = resolved.problems().size();
    throw new CommandFailed(
        ExitCode.USAGE,
        "%d %s wrong; nothing was started. `belay config reference` describes every setting."
            .formatted(count, count == 1 ? "setting is" : "settings are"),
        resolved.problems(),
        null);
  }

  private static ConfigFile read(Path file) throws CommandFailed {
    try {
      return ConfigFile.read(file, System.getProperty("user.name", ""));
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Cannot read the settings %s: %s. Name a readable file with --config."
              .formatted(file, ConnectionFinder.reason(e)),
          e);
    }
  }

  private Optional<Path> find(CommandContext surroundings) throws CommandFailed {
    String variable = surroundings.variable(VARIABLE);
    if (file != null || variable != null) {
      return Optional.of(
          (file != null ? file : Path.of(String.valueOf(variable))).toAbsolutePath());
    }
    var here = Path.of(ConfigFile.NAME).toAbsolutePath();
    var inFolder = folder(surroundings).map(dir -> dir.resolve(ConfigFile.NAME));
    if (inFolder.filter(Files::exists).isEmpty()) {
      return Optional.of(here).filter(Files::exists);
    }
    if (Files.exists(here) && !isSame(here, inFolder.get())) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Both %s and %s exist. Name the one you mean with --config."
              .formatted(here, inFolder.get()));
    }
    return inFolder;
  }

  /** As far as it is known before the file is read. */
  private Optional<Path> folder(CommandContext surroundings) {
    String given = flags.get(ServerGroup.DIR);
    for (String each : assignments) {
      given = each.startsWith("dir=") ? each.substring("dir=".length()) : given;
    }
    if (given == null) {
      given = surroundings.variable(ServerGroup.DIR.variable());
    }
    if (given != null) {
      return Optional.of(Path.of(given).toAbsolutePath());
    }
    return process == ProcessKind.LITE
        ? new DataFolders(surroundings).candidates().stream().filter(Files::isDirectory).findFirst()
        : Optional.empty();
  }

  private static boolean isSame(Path one, Path other) throws CommandFailed {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      throw new CommandFailed(ExitCode.USAGE, "Cannot read %s: %s.".formatted(other, e), e);
    }
  }
}
