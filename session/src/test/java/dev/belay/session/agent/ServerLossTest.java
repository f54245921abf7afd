package dev.belay.session.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.HeartbeatSeen;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Welcome;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How soon a worker leaves a dead server, and how soon it tries another. */
class ServerLossTest {

  private static final long SECOND = 1_000_000_000L;
  private static final AgentCommand SILENT = new AgentCommand.Disconnect("the server is silent");

  @Test
  void the_wait_for_a_connection_doubles_with_jitter_up_to_its_maximum() {
    var agent = agent();
    assertThat(agent.start()).containsExactly(new AgentCommand.ConnectAfter(Duration.ZERO));
    long ceilingMs = 100;
    for (int i = 0; i < 12; i++) {
      assertThat(delay(agent))
          .isBetween(Duration.ofMillis(ceilingMs / 2), Duration.ofMillis(ceilingMs));
      ceilingMs = Math.min(10_000, ceilingMs * 2);
    }
    agent.connected();
    agent.received(welcome());
    assertThat(delay(agent)).isLessThanOrEqualTo(Duration.ofMillis(100));
  }

  @Test
  void a_server_that_served_is_replaced_at_once_and_its_successor_is_not_hammered() {
    var agent = welcomed();
    agent.received(heartbeatSeen(1));
    agent.received(heartbeatSeen(2));
    assertThat(delay(agent)).isEqualTo(Duration.ZERO);
    assertThat(delay(agent)).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
  }

  @Test
  void a_server_that_welcomes_and_drops_is_not_called_in_a_hot_loop() {
    var agent = agent();
    agent.start();
    for (int i = 0; i < 5; i++) {
      agent.connected();
      agent.received(welcome());
      agent.received(heartbeatSeen(i + 1));
      assertThat(delay(agent)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }
  }

  @Test
  void a_server_that_does_not_welcome_is_left_sooner_than_one_that_served() {
    var agent = agent();
    agent.start();
    agent.connected();
    agent.tick(0, 0);
    assertThat(agent.tick(1_500_000_000L - 1, 0)).isEmpty();
    assertThat(agent.tick(1_500_000_000L, 0)).containsExactly(SILENT);
  }

  /** A server froze during the hello: outcomes of an earlier process wait for another server. */
  @Test
  void so_is_one_that_welcomes_and_sees_no_report() {
    var agent = welcomed();
    agent.tick(0, 0);
    agent.tick(SECOND, 0);
    assertThat(agent.tick(1_500_000_000L, 0)).containsExactly(SILENT);
  }

  @Test
  void where_no_server_answers_in_time_each_is_given_more() {
    var agent = agent();
    agent.start();
    long now = 0;
    for (long patience : new long[] {1_500, 3_000, 6_000, 10_000, 10_000}) {
      agent.connected();
      agent.tick(now, 0);
      assertThat(agent.tick(now + patience * 1_000_000 - 1, 0)).isEmpty();
      now += patience * 1_000_000;
      assertThat(agent.tick(now, 0)).containsExactly(SILENT);
      agent.disconnected();
    }
    agent.connected();
    agent.tick(now, 0);
    agent.received(welcome());
    agent.tick(now, 0);
    agent.received(heartbeatSeen(1));
    agent.disconnected();
    agent.connected();
    agent.tick(now, 0);
    assertThat(agent.tick(now + 1_500_000_000L, 0)).as("one answered").containsExactly(SILENT);
  }

  @Test
  void a_silent_server_is_left() {
    var agent = welcomed();
    agent.tick(0, 0);
    agent.received(heartbeatSeen(1));
    agent.tick(0, 0);
    agent.tick(9 * SECOND, 0);
    assertThat(agent.tick(10 * SECOND, 0)).containsExactly(SILENT);
    assertThat(agent.received(welcome())).isEmpty();
  }

  private static AgentSession agent() {
    var profile =
        new AgentProfile(
            new AgentProfile.Identity(
                new WorkerId(new UUID(3, 1)),
                WorkerKey.random(new Random(1)),
                new SessionId(new UUID(4, 1)),
                1),
            "worker",
            new Offer(List.of("default"), 2, Map.of()),
            "1",
            "linux",
            Instant.EPOCH);
    return new AgentSession(profile, Recovered.nothing(), AgentSettings.DEFAULT, new Random(1));
  }

  private static AgentSession welcomed() {
    var agent = agent();
    agent.start();
    agent.connected();
    agent.received(welcome());
    return agent;
  }

  private static ServerMessage welcome() {
    var welcome = Welcome.newBuilder().setHeartbeatIntervalMs(1_000);
    return ServerMessage.newBuilder().setWelcome(welcome).build();
  }

  private static ServerMessage heartbeatSeen(long number) {
    return ServerMessage.newBuilder()
        .setHeartbeatSeen(HeartbeatSeen.newBuilder().setNumber(number))
        .build();
  }

  private static Duration delay(AgentSession agent) {
    return ((AgentCommand.ConnectAfter) agent.disconnected().getFirst()).delay();
  }
}
