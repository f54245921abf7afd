package dev.belay.session.gateway;

import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;

/**
 * A worker's description of itself when it connects.
 *
 * @param key authenticates it
 * @param sessionNumber rises with each session of the worker
 * @param startedAtMs of its process, by its own clock
 */
public record WorkerHello(
    Peer peer, WorkerKey key, long sessionNumber, long startedAtMs, Profile profile) {

  /** Who it is, for people, and what it offers. */
  public record Profile(String name, Offer offer, String version, String platform) {}
}
