package dev.belay.simulation;

import com.google.protobuf.ByteString;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.agent.AgentProfile;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.AgentSettings;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A worker. Its id and journal outlive its processes, each of which is one {@link AgentLife}. Tasks
 * may outlive those too, when no guardian is left to end them.
 */
final class SimulatedAgent implements Ledger.Holder {
  private static final Duration DOWN = Duration.ofMillis(500);
  private static final Duration DOWN_MAX = Duration.ofSeconds(150);
  private static final double DOWN_LONG = 0.35;
  private static final Duration REBOOT_MIN = Duration.ofSeconds(8);
  private static final Duration REBOOT_MAX = Duration.ofMinutes(2);
  private static final Duration SUPERVISOR_MAX = Duration.ofMillis(200);
  private static final Duration FROZEN_MIN = Duration.ofSeconds(1);
  private static final Duration FROZEN_MAX = Duration.ofSeconds(200);
  private static final Duration BLOCKED_MAX = Duration.ofSeconds(130);
  private static final Duration CLOCK_STEP_MAX = Duration.ofMinutes(30);
  private static final Duration CLOCK_BEHIND = Duration.ofHours(3);
  private static final double CUT_IS_TOLD = 0.6;
  private static final double BREAKS_WHEN_FROZEN = 0.15;
  private static final double LOSES_ID_TOO = 0.4;
  private static final double REBOOT_LOSES_TAIL = 0.4;
  private static final int TAIL_MAX = 6;

  private final World world;
  private final Replicas replicas;
  private final String name;
  private final List<String> pools;
  private final int slots;
  private final List<Link.Blockade> blockades = new ArrayList<>();
  private final List<JournalEntry> journal = new ArrayList<>();
  private final Set<DispatchId> ends = new LinkedHashSet<>();
  private final List<Processes> leftovers = new ArrayList<>();
  private WorkerId worker;
  private boolean journalComplete = true;
  private boolean rebooted;
  private Duration clockOffset = Duration.ZERO;
  private long sessions;
  private int server;
  private @Nullable AgentLife life;

  SimulatedAgent(World world, Replicas replicas, String name, List<String> pools, int slots) {
    this.world = world;
    this.replicas = replicas;
    this.name = name;
    this.worker = new WorkerId(world.ids.next());
    this.pools = pools;
    this.slots = slots;
  }

  String name() {
    return name;
  }

  int slots() {
    return slots;
  }

  @Override
  public WorkerId worker() {
    return worker;
  }

  @Override
  public boolean runs(DispatchId dispatch) {
    return life != null && life.isAwake() && life.processes.runs(dispatch);
  }

  @Override
  public boolean knowsEnd(DispatchId dispatch) {
    return life != null && life.isAwake() && ends.contains(dispatch);
  }

  boolean isIdle() {
    return life != null && life.isIdle() && leftovers.stream().noneMatch(Processes::anyRuns);
  }

  /** The block between this agent and the replica in that slot, in one direction. */
  Link.Blockade blockade(int slot, boolean up) {
    int index = 2 * slot + (up ? 1 : 0);
    while (blockades.size() <= index) {
      blockades.add(new Link.Blockade());
    }
    return blockades.get(index);
  }

  /** Tries the replicas in turn. */
  int nextServer() {
    server = (server + 1) % replicas.size();
    return server;
  }

  Replicas replicas() {
    return replicas;
  }

  /** The time of day, which can be set. */
  private Instant timeOfDay() {
    return world.scheduler.instant().plus(clockOffset);
  }

  /** A monotonic clock, unrelated to any other. */
  long clockMillis() {
    return world.scheduler.instant().minus(CLOCK_BEHIND).toEpochMilli();
  }

  /** The true time at which the clock showed this. */
  static Instant really(long clockMillis) {
    return Instant.ofEpochMilli(clockMillis).plus(CLOCK_BEHIND);
  }

  void start() {
    sessions++;
    // it knows the earlier sessions from its journal, and ends their processes
    if (!journal.isEmpty()) {
      leftovers.forEach(Processes::killAll);
      leftovers.clear();
    }
    var profile =
        new AgentProfile(
            new AgentProfile.Identity(
                worker, keyOf(worker), new SessionId(world.ids.next()), sessions),
            name,
            new Offer(pools, slots, Map.of()),
            "1",
            "simulated",
            timeOfDay());
    var replayed = Recovered.replay(journal, journalComplete);
    var recovered =
        new Recovered(replayed.held(), replayed.settled(), replayed.complete(), rebooted);
    rebooted = false;
    world.trace.say(name, "starts as worker", worker, "holding " + recovered.held().size());
    life =
        new AgentLife(
            world,
            this,
            new AgentSession(profile, recovered, AgentSettings.DEFAULT, world.chance.random()));
    life.begin();
  }

  /** Not drawn at random, so that keys do not change the draws of a world. */
  private static WorkerKey keyOf(WorkerId worker) {
    var hash = WorkerKey.hash(ByteString.copyFromUtf8(worker.toString()));
    return WorkerKey.of(ByteString.copyFrom(hash)).orElseThrow();
  }

  void renumber(long number) {
    sessions = number;
  }

  void record(JournalEntry entry) {
    journal.add(entry);
    world.ledger.recorded(this, entry);
    switch (entry) {
      case JournalEntry.Ended ended -> ends.add(ended.dispatch());
      case JournalEntry.Settled(var dispatch) -> ends.remove(dispatch);
      case JournalEntry.Prepared _, JournalEntry.Started _ -> {}
    }
  }

  void receive(Link from, ServerMessage message) {
    if (life != null) {
      life.receive(from, message);
    }
  }

  void disconnected(Link from) {
    if (life != null) {
      life.disconnected(from);
    }
  }

  /** A middlebox closes it; the server takes that for the agent's close. */
  void loseConnection() {
    if (life != null) {
      life.loseConnection();
    }
  }

  boolean isCurrent(AgentLife one) {
    return life == one;
  }

  /** It is alive; a frozen one mostly stays so until it continues. */
  boolean mayBreak() {
    return life != null && (life.isAwake() || world.chance.happens(BREAKS_WHEN_FROZEN));
  }

  /** Kills it; the kernel closes its connection, and its supervisor ends its tasks. */
  void crash() {
    var over = end("crashes");
    if (over != null) {
      over.hangUp(true);
      leftovers.add(over.processes);
      world.after(world.chance.upTo(SUPERVISOR_MAX), over.processes::killAll);
      comeBack(world.chance.mostly(DOWN, DOWN_LONG, DOWN_MAX));
    }
  }

  /** Kills it together with its supervisor. */
  void crashWithSupervisor() {
    var over = end("crashes with its supervisor");
    if (over != null) {
      over.hangUp(true);
      over.processes.loseSupervisor();
      leftovers.add(over.processes);
      comeBack(world.chance.mostly(DOWN, DOWN_LONG, DOWN_MAX));
    }
  }

  /** Reboots its machine; data not yet on the disk is lost. */
  void reboot() {
    var over = end("is gone with its machine");
    if (over == null) {
      return;
    }
    over.vanish();
    over.processes.killAll();
    leftovers.forEach(Processes::killAll);
    leftovers.clear();
    rebooted = !journal.isEmpty();
    journalComplete = false;
    if (world.chance.happens(REBOOT_LOSES_TAIL)) {
      forgetTail(Math.min(journal.size(), world.chance.between(1, TAIL_MAX)));
    }
    comeBack(world.chance.between(REBOOT_MIN, REBOOT_MAX));
  }

  private void forgetTail(int entries) {
    for (int i = 0; i < entries; i++) {
      forget(journal.removeLast().dispatch());
    }
  }

  private void forget(DispatchId end) {
    ends.remove(end);
    world.ledger.unrecorded(end);
  }

  /** It dies and returns without its journal, or without its whole folder. */
  void loseDisk() {
    crash();
    world.trace.say(name, "has lost its journal");
    journal.clear();
    List.copyOf(ends).forEach(this::forget);
    journalComplete = false;
    if (world.chance.happens(LOSES_ID_TOO)) {
      worker = new WorkerId(world.ids.next());
      sessions = 0;
      journalComplete = true;
    }
  }

  private @Nullable AgentLife end(String how) {
    var over = life;
    if (over != null) {
      world.trace.say(name, how);
      over.die();
      life = null;
    }
    return over;
  }

  private void comeBack(Duration later) {
    world.after(world.lasting(later), this::start);
  }

  /** Takes no more work, waits until the server has all outcomes, and ends. */
  void drain() {
    if (life != null) {
      life.drain();
    }
  }

  void leave() {
    var over = end("leaves");
    if (over != null) {
      over.hangUp(true);
      over.processes.killAll();
      comeBack(world.chance.mostly(DOWN, DOWN_LONG, DOWN_MAX));
    }
  }

  /** Freezes it; its tasks continue. */
  void freeze() {
    if (life != null) {
      life.freeze(world.lasting(world.chance.between(FROZEN_MIN, FROZEN_MAX)));
    }
  }

  /** Its next preparation will hang. */
  void hangNext() {
    if (life != null) {
      life.processes.hangNext();
    }
  }

  /** Blocks one direction, to or from one replica or all of them. */
  void block() {
    boolean up = world.chance.happens(0.5);
    boolean everywhere = world.chance.happens(0.5);
    int only = world.chance.between(0, replicas.size() - 1);
    world.trace.say("wire", up ? "nothing leaves" : "nothing reaches", name);
    long until = blockedUntil();
    for (int slot = 0; slot < replicas.size(); slot++) {
      if (everywhere || slot == only) {
        blockade(slot, up).extend(until);
      }
    }
  }

  /** Blocks everything; a middlebox may close the connections towards the servers. */
  void cutOff() {
    world.trace.say("wire", "nothing leaves or reaches", name);
    long until = blockedUntil();
    for (int slot = 0; slot < replicas.size(); slot++) {
      blockade(slot, true).extend(until);
      blockade(slot, false).extend(until);
    }
    if (world.chance.happens(CUT_IS_TOLD)) {
      loseConnection();
    }
  }

  private long blockedUntil() {
    return world.scheduler.nanos() + world.lasting(world.chance.upTo(BLOCKED_MAX)).toNanos();
  }

  void stepClock() {
    var step = world.chance.upTo(CLOCK_STEP_MAX);
    clockOffset = world.chance.happens(0.5) ? clockOffset.plus(step) : clockOffset.minus(step);
    world.trace.say(name, "has another time, by now off by", clockOffset);
  }
}
