package dev.belay.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of one embedded server.
 *
 * @param dataFolder everything that belongs to this server; kept between starts
 * @param binariesFolder the unpacked binaries; many servers may share it
 * @param port on 127.0.0.1; 0 takes a free one
 * @param ephemeral no fsync; the data folder must be new or empty and is deleted at the end
 * @param sharedBuffersMegabytes PostgreSQL's own cache
 * @param startTimeout includes crash recovery, so it is long
 * @param stopTimeout for a fast shutdown, which writes a checkpoint; then the server is killed
 * @param logBytesMax size of the server's log file; one older file of that size is kept
 */
public record EmbeddedSettings(
    Path dataFolder,
    Path binariesFolder,
    int port,
    boolean ephemeral,
    int maxConnections,
    int sharedBuffersMegabytes,
    Duration startTimeout,
    Duration stopTimeout,
    long logBytesMax) {

  public EmbeddedSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not between 0 and 65535");
    }
    if (maxConnections < 5 || sharedBuffersMegabytes < 1 || logBytesMax < 1) {
      throw new IllegalArgumentException("maxConnections, sharedBuffersMegabytes or logBytesMax");
    }
  }

  public static EmbeddedSettings persistent(Path dataFolder, Path binariesFolder) {
    return new EmbeddedSettings(
        dataFolder,
        binariesFolder,
        0,
        false,
        100,
        256,
        Duration.ofMinutes(2),
        Duration.ofSeconds(10),
        10L << 20);
  }

  public static EmbeddedSettings ephemeral(Path dataFolder, Path binariesFolder) {
    return new EmbeddedSettings(
        dataFolder,
        binariesFolder,
        0,
        true,
        100,
        64,
        Duration.ofMinutes(1),
        Duration.ofSeconds(5),
        10L << 20);
  }

  public EmbeddedSettings withSizes(int connections, int sharedBuffers) {
    return new EmbeddedSettings(
        dataFolder,
        binariesFolder,
        port,
        ephemeral,
        connections,
        sharedBuffers,
        startTimeout,
        stopTimeout,
        logBytesMax);
  }

  public EmbeddedSettings withPort(int newPort) {
    return new EmbeddedSettings(
        dataFolder,
        binariesFolder,
        newPort,
        ephemeral,
        maxConnections,
        sharedBuffersMegabytes,
        startTimeout,
        stopTimeout,
        logBytesMax);
  }
}
