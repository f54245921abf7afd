package dev.belay.cli.process;

import dev.belay.settings.AgentGroup;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.Settings;
import java.nio.file.Path;

/**
 * How lite runs.
 *
 * @param folder all its files
 * @param values the settings of lite
 * @param ephemeral for one run: faster, and the folder is deleted at the end
 */
public record LiteSettings(Path folder, Settings values, boolean ephemeral) {

  public static int slotsDefault() {
    return Settings.of(ProcessKind.LITE).of(AgentGroup.SLOTS);
  }

  String host() {
    return values.of(ServerGroup.HOST);
  }

  int port() {
    return values.of(ServerGroup.PORT);
  }
}
