package dev.belay.agent;

import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.session.wire.Offer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How one worker runs.
 *
 * @param servers base addresses of server replicas; the agent tries them in turn
 * @param joinTokenFile holds the token that lets a worker join
 * @param stateFolder its identity, journal, spooled logs and work folders
 * @param offer what it offers to tasks
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
    Offer offer,
    Duration stopGrace,
    Duration drainTimeout,
    long logMaxBytes,
    TaskAccount account,
    ReserveSettings reserve,
    AgentBounds bounds) {

  public AgentSettings {
    servers = List.copyOf(servers);
  }
}
