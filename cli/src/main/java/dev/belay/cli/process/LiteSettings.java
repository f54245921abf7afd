package dev.belay.cli.process;

import java.nio.file.Path;

/**
 * How lite runs.
 *
 * @param folder everything it keeps
 * @param port 0 takes a free one
 * @param slots how many tasks run at a time
 * @param ephemeral for one run: faster, and the folder is deleted at the end
 * @param worker as whom its tasks run, and what it keeps back
 */
public record LiteSettings(
    Path folder, String host, int port, int slots, boolean ephemeral, WorkerOptions worker) {

  public static final int SLOTS_DEFAULT_MIN = 4;
  public static final int PORT_DEFAULT = 8080;
  public static final String HOST_DEFAULT = "127.0.0.1";

  /** Tasks often wait for something else, so a few more than there are processors. */
  public static int slotsDefault() {
    return Math.max(SLOTS_DEFAULT_MIN, 2 * Runtime.getRuntime().availableProcessors());
  }
}
