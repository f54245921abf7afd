package dev.belay.agent;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How one worker runs.
 *
 * @param servers base addresses of server replicas; tried in turn
 * @param joinTokenFile the token that lets a worker in
 * @param stateFolder its identity, journal, spooled logs and work folders
 * @param stopGrace between SIGTERM and SIGKILL of a task
 * @param drainTimeout how long a stopping agent waits for its tasks, all together
 * @param logMaxBytes largest log of one dispatch
 */
public record AgentSettings(
    String name,
    List<URI> servers,
    Path joinTokenFile,
    Path stateFolder,
    List<String> pools,
    int slots,
    Map<String, String> labels,
    Duration stopGrace,
    Duration drainTimeout,
    long logMaxBytes) {

  public static final Duration STOP_GRACE_DEFAULT = Duration.ofSeconds(5);
  public static final Duration DRAIN_TIMEOUT_DEFAULT = Duration.ofSeconds(10);
  public static final long LOG_MAX_BYTES_DEFAULT = 10L << 20;

  public AgentSettings {
    servers = List.copyOf(servers);
    pools = List.copyOf(pools);
    labels = Map.copyOf(labels);
  }
}
