package dev.belay.session.agent;

import static dev.belay.session.agent.AgentSessionTest.A;
import static dev.belay.session.agent.AgentSessionTest.B;
import static dev.belay.session.agent.AgentSessionTest.C;
import static dev.belay.session.agent.AgentSessionTest.assign;
import static dev.belay.session.agent.AgentSessionTest.settled;
import static dev.belay.session.agent.AgentSessionTest.welcomed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.HeartbeatSeen;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What heartbeats say about the room and the load of a worker with two slots. */
class FreeSlotsTest {

  private static final long SECOND = 1_000_000_000L;

  private final AgentSession agent = welcomed(Recovered.nothing());
  private long now;

  @Test
  void a_machine_without_room_for_a_process_offers_no_slot_and_says_so_at_once() {
    assertThat(heartbeatAfter(0).getFreeSlots()).isEqualTo(2);
    refuse(A);
    assertThat(heartbeatAfter(0).getFreeSlots()).isZero();
  }

  @Test
  void it_tries_one_slot_after_a_pause_that_doubles() {
    heartbeatAfter(0);
    refuse(A);
    assertThat(heartbeatAfter(0).getFreeSlots()).isZero();
    assertThat(heartbeatAfter(5 * SECOND).getFreeSlots()).isEqualTo(1);
    refuse(B);
    assertThat(heartbeatAfter(0).getFreeSlots()).isZero();
    refuse(C);
    assertThat(agent.tick(now, 0)).as("work of before the pause").isEmpty();
    assertThat(heartbeatAfter(5 * SECOND).getFreeSlots()).isEqualTo(1);
  }

  @Test
  void a_process_that_starts_brings_all_slots_back() {
    heartbeatAfter(0);
    refuse(A);
    heartbeatAfter(0);
    heartbeatAfter(5 * SECOND);
    agent.received(assign(B));
    agent.prepared(B, 7, 10);
    assertThat(heartbeatAfter(5 * SECOND).getFreeSlots()).isEqualTo(1);
    agent.ended(AgentSessionTest.exit(B));
    agent.received(settled(B));
    assertThat(heartbeatAfter(5 * SECOND).getFreeSlots()).isEqualTo(2);
  }

  @Test
  void the_load_of_its_gpus_is_told_only_when_it_is_known() {
    assertThat(heartbeatAfter(0).hasGpuPercent()).isFalse();
    agent.gpuPercent(OptionalDouble.of(0));
    var idle = heartbeatAfter(5 * SECOND);
    assertThat(idle.hasGpuPercent()).isTrue();
    assertThat(idle.getGpuPercent()).isZero();
    agent.gpuPercent(OptionalDouble.empty());
    assertThat(heartbeatAfter(5 * SECOND).hasGpuPercent()).isFalse();
  }

  private void refuse(DispatchId id) {
    agent.received(assign(id));
    agent.prepareRefused(id, "no resources", 5);
    agent.received(settled(id));
  }

  private Heartbeat heartbeatAfter(long nanos) {
    now += nanos;
    var heartbeat = ((AgentCommand.Send) agent.tick(now, 0).getLast()).message().getHeartbeat();
    var seen = HeartbeatSeen.newBuilder().setNumber(heartbeat.getNumber());
    agent.received(ServerMessage.newBuilder().setHeartbeatSeen(seen).build());
    return heartbeat;
  }
}
