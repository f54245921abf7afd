package dev.belay.session.gateway;

import dev.belay.session.wire.WorkerKey;
import java.util.List;
import java.util.Map;

/**
 * What a worker says of itself when it connects.
 *
 * @param key proves that it is who it says
 * @param sessionNumber rises with each session of the worker
 * @param startedAtMs of its process, by its own clock
 */
public record WorkerHello(
    Peer peer, WorkerKey key, long sessionNumber, long startedAtMs, Profile profile) {

  /** What it can do. */
  public record Profile(
      String name,
      List<String> pools,
      int slots,
      Map<String, String> labels,
      String version,
      String platform) {}
}
