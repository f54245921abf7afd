package dev.belay.agent;

import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How one worker runs.
 *
 * @param servers base addresses of server replicas; the agent tries them in turn
 * @param joinTokenFile holds the token that lets a worker join
 * @param stateFolder its identity, journal, spooled logs and work folders
 * @param stopGrace between SIGTERM and SIGKILL of a task
 * @param drainTimeout how long a stopping agent waits for all its tasks together
 * @param logMaxBytes largest log of one dispatch
 * @param account the user and umask of tasks
 * @param reserve how much the agent keeps back for a full disk, and when the disk counts as full
 * @param bounds limits of its parts; stopGrace and logMaxBytes override theirs
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
    long logMaxBytes,
    TaskAccount account,
    ReserveSettings reserve,
    AgentBounds bounds) {

  public AgentSettings {
    servers = List.copyOf(servers);
    pools = List.copyOf(pools);
    labels = Map.copyOf(labels);
  }
}
