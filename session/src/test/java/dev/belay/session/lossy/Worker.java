package dev.belay.session.lossy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.AgentProfile;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.AgentSettings;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A worker: its journal survives everything but a wipe; all else dies with its process. */
final class Worker {
  private static final AgentSettings SETTINGS = AgentSettings.DEFAULT;

  /** Short, so that the timeout for a silent server does not hide a hang. */
  static final long MS_PER_STEP = 10;

  private static final long NANOS_PER_STEP = MS_PER_STEP * 1_000_000L;

  private final World world;
  private final Random random;
  final List<JournalEntry> journal = new ArrayList<>();
  private boolean complete = true;
  private int sessions;

  /** Ground truth across all processes. */
  final Set<DispatchId> live = new LinkedHashSet<>();

  /** Held outside the worker's process. */
  private final Map<DispatchId, Long> leases = new HashMap<>();

  /** The worker's process does nothing before this step; its tasks and the lease keeper do. */
  int frozenUntil;

  private final Set<DispatchId> granted = new HashSet<>();
  private final Set<DispatchId> opened = new HashSet<>();
  private final Set<DispatchId> released = new HashSet<>();
  private final Map<DispatchId, String> taskOf = new HashMap<>();

  private AgentSession session;
  final Set<DispatchId> preparing = new LinkedHashSet<>();
  final Set<DispatchId> stopping = new LinkedHashSet<>();
  boolean wantsConnection;
  @Nullable LossyStream stream;

  Worker(World world, Random random) {
    this.world = world;
    this.random = random;
    this.session = newSession();
  }

  private AgentSession newSession() {
    sessions++;
    var profile =
        new AgentProfile(
            new AgentProfile.Identity(
                new WorkerId(new UUID(3, 0)),
                WorkerKey.random(new Random(1)),
                new SessionId(new UUID(4, sessions)),
                sessions),
            "worker",
            new Offer(List.of("default"), 3, Map.of()),
            "1",
            "test",
            Instant.ofEpochMilli(sessions));
    return new AgentSession(profile, Recovered.replay(journal, complete), SETTINGS, random);
  }

  void begin() {
    run(session::start);
  }

  void connect() {
    wantsConnection = false;
    stream = world.open();
    run(session::connected);
  }

  void receive(ServerMessage message) {
    if (message.hasSettled()) {
      message.getSettled().getSettlementsList().stream()
          .map(settlement -> DispatchId.of(settlement.getDispatchId()))
          .forEach(released::add);
    } else if (message.hasAbort() && message.getAbort().getReason().equals("void")) {
      released.add(DispatchId.of(message.getAbort().getDispatchId()));
    } else if (message.hasGranted()) {
      message.getGranted().getDispatchIdsList().stream().map(DispatchId::of).forEach(granted::add);
    }
    run(() -> session.received(message));
  }

  void disconnect() {
    if (stream != null) {
      stream = null;
      run(session::disconnected);
    }
  }

  void prepare(DispatchId id) {
    preparing.remove(id);
    if (random.nextInt(8) == 0) {
      stopping.remove(id);
      run(() -> session.prepareFailed(id, "no such file", world.now()));
    } else {
      run(() -> session.prepared(id, 1, world.now()));
    }
  }

  void end(DispatchId id) {
    live.remove(id);
    stopping.remove(id);
    preparing.remove(id);
    var finished =
        Finished.newBuilder()
            .setDispatchId(id.toString())
            .setTaskId(taskOf.getOrDefault(id, ""))
            .setEndedAtMs(world.now())
            .setExit(Exit.getDefaultInstance())
            .build();
    run(() -> session.ended(finished));
  }

  /** Does the work of the lease keeper outside the worker's process. */
  void endOverdue() {
    for (var id : List.copyOf(live)) {
      if (Database.isStrict(id) && isOverdue(id)) {
        live.remove(id);
        stopping.add(id);
      }
    }
  }

  private boolean isOverdue(DispatchId id) {
    return nowNanos() >= leases.getOrDefault(id, 0L);
  }

  private long nowNanos() {
    return world.now() * NANOS_PER_STEP;
  }

  void tick() {
    run(() -> session.tick(nowNanos(), 0));
  }

  void crash(boolean wipe) {
    frozenUntil = 0;
    live.clear();
    preparing.clear();
    stopping.clear();
    wantsConnection = false;
    if (stream != null) {
      stream.cut();
      stream = null;
    }
    if (wipe) {
      journal.clear();
      complete = false;
    }
    session = newSession();
    begin();
  }

  boolean isIdle() {
    return session.isIdle();
  }

  private void run(Supplier<List<AgentCommand>> event) {
    for (var command : event.get()) {
      if (world.crashesNow()) {
        crash(random.nextInt(20) == 0);
        return;
      }
      execute(command);
    }
  }

  private void execute(AgentCommand command) {
    switch (command) {
      case AgentCommand.Send(var message) -> {
        if (stream != null) {
          stream.toServer.add(message);
        }
      }
      case AgentCommand.Persist(var entry) -> journal.add(entry);
      case AgentCommand.Prepare(var dispatch) -> {
        var id = DispatchId.of(dispatch.getDispatchId());
        taskOf.put(id, dispatch.getTaskId());
        preparing.add(id);
      }
      case AgentCommand.Lease(var untilNanos) -> leases.putAll(untilNanos);
      case AgentCommand.Open(var id) -> open(id);
      case AgentCommand.Stop(var id, var _, var _) -> stopping.add(id);
      case AgentCommand.Forget(var id) ->
          assertThat(released).as("forgotten before it was settled").contains(id);
      case AgentCommand.ConnectAfter _ -> wantsConnection = true;
      case AgentCommand.Disconnect _ -> {
        if (stream != null) {
          stream.cut();
          disconnect();
        }
      }
      case AgentCommand.Renumber _ -> throw new AssertionError("its count is not lost");
      case AgentCommand.GiveUp(var reason) -> throw new AssertionError("gave up: " + reason);
    }
  }

  private void open(DispatchId id) {
    assertThat(opened.add(id)).as("opened twice: %s", id).isTrue();
    if (Database.isStrict(id)) {
      assertThat(world.database.started).as("opened before its start was committed").contains(id);
      assertThat(granted).as("opened before it was granted").contains(id);
      if (isOverdue(id)) {
        // the latch ensures that
        stopping.add(id);
        return;
      }
    }
    assertThat(world.database.ends.getOrDefault(id, "voided"))
        .as("opened after it was given to somebody else")
        .isEqualTo("voided");
    assertThat(live)
        .as("two dispatches of one task at a time")
        .noneMatch(other -> Objects.equals(taskOf.get(other), taskOf.get(id)));
    live.add(id);
  }
}
