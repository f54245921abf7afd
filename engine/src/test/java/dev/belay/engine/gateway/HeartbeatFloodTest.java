package dev.belay.engine.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.RefusedHellos;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.engine.result.Results;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.session.gateway.GatewaySettings.Limits;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeartbeatFloodTest {

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Workers workers = new Workers();
  private final List<String> closed = new ArrayList<>();
  private long nanos;
  private final WorkerStream stream = open();

  @Test
  void worker_that_reports_as_asked_stays() {
    for (int number = 1; number <= 1_000; number++) {
      heartbeat(number);
      nanos += INTERVAL.toNanos();
    }
    assertThat(closed).isEmpty();
    assertThat(workers.touched).isEqualTo(1_000);
  }

  @Test
  void worker_that_reports_without_a_pause_is_cut_off_and_told_why() {
    for (int number = 1; number <= 1_000; number++) {
      heartbeat(number);
      nanos += Duration.ofMillis(10).toNanos();
    }
    assertThat(closed).containsExactly("too many heartbeats: one is wanted every 5000 ms");
    assertThat(workers.touched).isLessThan(120);
  }

  private WorkerStream open() {
    var database = new DatabaseClock();
    database.look(Instant.parse("2026-01-01T00:00:00Z"), 0, 0);
    Results none =
        events -> {
          throw new AssertionError("nothing ran");
        };
    var results =
        new ResultBatcher(
            none,
            Hints.NONE,
            Meters.NONE,
            () -> nanos,
            EngineSettings.of(1, 1),
            new Signal(),
            over -> {});
    var gateway =
        new Gateway(
            workers,
            results,
            new GatewaySettings("r1", INTERVAL, Duration.ofSeconds(5), Limits.DEFAULT),
            RefusedHellos.NONE,
            Runnable::run,
            database,
            () -> nanos);
    var opened =
        gateway.open(
            new Gateway.Outbound() {
              @Override
              public void send(ServerMessage message) {}

              @Override
              public void close(String reason) {
                closed.add(reason);
              }
            });
    var hello =
        Hello.newBuilder()
            .setWorkerId(new UUID(3, 1).toString())
            .setSessionId(new UUID(4, 1).toString())
            .setKey(WorkerKey.random(new Random(1)).bytes())
            .setSessionNumber(1)
            .setName("w")
            .setSlots(1)
            .setConnection(1);
    opened.received(AgentMessage.newBuilder().setHello(hello).build(), () -> {});
    return opened;
  }

  private void heartbeat(int number) {
    var heartbeat = Heartbeat.newBuilder().setNumber(number).setTrouble("trouble " + number);
    stream.received(AgentMessage.newBuilder().setHeartbeat(heartbeat).build(), () -> {});
  }

  /** Accepts everything. */
  private static final class Workers implements WorkerStore {
    int touched;

    @Override
    public Registration register(WorkerHello hello, String replica) {
      return new Registration.Accepted();
    }

    @Override
    public Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned) {
      return Optional.of(List.of());
    }

    @Override
    public List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
      return List.of();
    }

    @Override
    public boolean touch(Peer peer, Load load) {
      touched++;
      return true;
    }

    @Override
    public void drain(Peer peer) {}

    @Override
    public void markDisconnected(Peer peer, boolean closedByPeer) {}
  }
}
