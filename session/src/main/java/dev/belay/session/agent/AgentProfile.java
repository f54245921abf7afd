package dev.belay.session.agent;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Who this worker process is and what it offers: the constant part of its Hello.
 *
 * @param session new with every process
 * @param startedAt later than that of every earlier session of this worker, whatever the clock did
 *     since: the server takes the later one for the living one
 */
public record AgentProfile(
    WorkerId worker,
    SessionId session,
    String name,
    List<String> pools,
    int slots,
    Map<String, String> labels,
    String version,
    String platform,
    Instant startedAt) {

  public AgentProfile {
    if (slots < 0) {
      throw new IllegalArgumentException("slots must not be negative: " + slots);
    }
    pools = List.copyOf(pools);
    labels = Map.copyOf(labels);
  }
}
