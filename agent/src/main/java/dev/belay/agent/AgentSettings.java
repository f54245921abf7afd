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
 * @param servers base addresses of server replicas; tried in turn
 * @param joinTokenFile the token that lets a worker in
 * @param stateFolder its identity, journal, spooled logs and work folders
 * @param stopGrace between SIGTERM and SIGKILL of a task
 * @param drainTimeout how long a stopping agent waits for its tasks, all together
 * @param logMaxBytes largest log of one dispatch
 * @param account as whom tasks run
 * @param reserve what is kept back for a full disk, and when it counts as full
 * @param bounds of its parts; stopGrace and logMaxBytes go before theirs
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
