package dev.belay.session.gateway;

import dev.belay.session.wire.WorkerKey;
import java.util.List;
import java.util.Map;

/**
 * A worker's description of itself when it connects.
 *
 * @param key authenticates it
 * @param sessionNumber rises with each session of the worker
 * @param startedAtMs of its process, by its own clock
 */
public record WorkerHello(
    Peer peer, WorkerKey key, long sessionNumber, long startedAtMs, Profile profile) {

  /** What it offers. */
  public record Profile(
      String name,
      List<String> pools,
      int slots,
      Map<String, String> labels,
      String version,
      String platform) {}
}
