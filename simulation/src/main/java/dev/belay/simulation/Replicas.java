package dev.belay.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The slots in which replicas run; a dead one gets a successor after a while. */
final class Replicas {
  private static final Duration DOWN = Duration.ofSeconds(3);
  private static final Duration DOWN_MAX = Duration.ofSeconds(70);
  private static final double DOWN_LONG = 0.3;

  private final World world;
  private final StoreTrouble trouble;
  private final IntFunction<SimulatedServer> maker;
  private final List<@Nullable SimulatedServer> slots = new ArrayList<>();
  private final List<SimulatedServer> all = new ArrayList<>();

  /**
   * @param maker creates the replica of a slot
   */
  Replicas(World world, StoreTrouble trouble, IntFunction<SimulatedServer> maker) {
    this.world = world;
    this.trouble = trouble;
    this.maker = maker;
    trouble.onChange(this::tellHearing);
  }

  void start(int count) {
    for (int slot = 0; slot < count; slot++) {
      slots.add(null);
    }
    for (int slot = 0; slot < count; slot++) {
      start(maker.apply(slot));
    }
  }

  private void start(SimulatedServer server) {
    slots.set(server.slot(), server);
    all.add(server);
    server.start();
    tellHearing();
  }

  int size() {
    return slots.size();
  }

  Optional<SimulatedServer> at(int slot) {
    return Optional.ofNullable(slots.get(slot));
  }

  /** The choice of a load balancer, which may not know yet that a replica is frozen. */
  Optional<SimulatedServer> any() {
    return at(world.chance.between(0, size() - 1));
  }

  Optional<SimulatedServer> leader() {
    return slots.stream()
        .filter(server -> server != null && server.leads())
        .findFirst()
        .map(server -> server);
  }

  void crashAny() {
    any().ifPresent(SimulatedServer::crash);
  }

  /** The leader's session ends, and another replica may lead before it notices. */
  void deposeLeader() {
    leader()
        .ifPresent(
            server -> {
              server.loseLock();
              others(server).forEach(SimulatedServer::campaignSoon);
            });
  }

  List<SimulatedServer> others(SimulatedServer but) {
    var others = new ArrayList<SimulatedServer>();
    for (var server : slots) {
      if (server != null && server != but) {
        others.add(server);
      }
    }
    return others;
  }

  /** Called by a replica that died. */
  void died(SimulatedServer server) {
    slots.set(server.slot(), null);
    tellHearing();
    var down = world.chance.mostly(DOWN, DOWN_LONG, DOWN_MAX);
    world.after(world.lasting(down), () -> start(maker.apply(server.slot())));
  }

  /** A replica may have begun or ceased to listen. */
  void tellHearing() {
    boolean awake = false;
    for (var server : slots) {
      awake |= server != null && server.isAwake();
    }
    world.hearing.listens(awake && !trouble.isAway());
  }

  /** Releases locks, which outlive the simulation in a real database. */
  void close() {
    all.forEach(SimulatedServer::loseLock);
  }
}
