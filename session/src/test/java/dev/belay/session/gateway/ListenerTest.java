package dev.belay.session.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Aborted;
import dev.belay.protocol.agent.v1.Acked;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.Refused;
import dev.belay.protocol.agent.v1.Started;
import dev.belay.session.gateway.GatewaySettings.Limits;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WireId;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ListenerTest {
  private static final String ID = "00000000-0000-0002-0000-000000000001";
  private static final String TASK = "00000000-0000-0001-0000-000000000001";
  private static final Limits LIMITS = new Limits(3, 3, 2, 10, 5, 2, 1_000, 10, 2);

  static Stream<AgentMessage> impossible() {
    return Stream.of(
        AgentMessage.newBuilder()
            .setHeartbeat(Heartbeat.newBuilder().setNumber(1).addActive("x"))
            .build(),
        AgentMessage.newBuilder().setHeartbeat(Heartbeat.newBuilder().setFreeSlots(-1)).build(),
        AgentMessage.newBuilder().setHeartbeat(Heartbeat.newBuilder().setFreeSlots(11)).build(),
        AgentMessage.newBuilder()
            .setHeartbeat(Heartbeat.newBuilder().setCpuPercent(Double.NaN))
            .build(),
        AgentMessage.newBuilder().setHeartbeat(Heartbeat.newBuilder().setCpuPercent(-1)).build(),
        AgentMessage.newBuilder().setHeartbeat(Heartbeat.newBuilder().setCpuPercent(1e300)).build(),
        AgentMessage.newBuilder()
            .setHeartbeat(Heartbeat.newBuilder().setGpuPercent(Double.NaN))
            .build(),
        AgentMessage.newBuilder().setHeartbeat(Heartbeat.newBuilder().setGpuPercent(101)).build(),
        AgentMessage.newBuilder()
            .setAcked(Acked.newBuilder().addAllDispatchIds(Collections.nCopies(4, ID)))
            .build(),
        of(started().clearDispatchId()),
        of(started().setTaskId("1-1-1-1-1")),
        of(started().setAtMs(-1)),
        of(finished().clearExit()),
        of(finished().setDispatchId("x")),
        of(finished().setTaskId("x")),
        of(refusal().setDispatchId("x")),
        of(refusal().setTaskId(TASK + "0")));
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void an_impossible_message_is_malformed(AgentMessage message) {
    assertThat(new Listener(LIMITS).hear(message, Stamps.AS_TOLD))
        .isInstanceOf(Heard.Malformed.class);
  }

  @Test
  void agent_that_knows_no_tasks_may_report() {
    assertThat(new Listener(LIMITS).hear(of(started().clearTaskId()), Stamps.AS_TOLD))
        .isInstanceOfSatisfying(
            Heard.Started.class, heard -> assertThat(heard.task()).isEqualTo(WireId.NO_TASK));
    assertThat(new Listener(LIMITS).hear(of(finished().clearTaskId()), Stamps.AS_TOLD))
        .isInstanceOf(Heard.Ended.class);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("worker_id", hello().setWorkerId("1-1-1-1-1")),
        Arguments.of("session_id", hello().setSessionId("")),
        Arguments.of("key is missing", hello().clearKey()),
        Arguments.of("key", hello().setKey(ByteString.copyFromUtf8("short"))),
        Arguments.of("session_number", hello().setSessionNumber(0)),
        Arguments.of("session_number", hello().setSessionNumber(Long.MAX_VALUE)),
        Arguments.of("connection", hello().setConnection(0)),
        Arguments.of("slots", hello().setSlots(-1)),
        Arguments.of("slots", hello().setSlots(Integer.MAX_VALUE)),
        Arguments.of("started_at_ms", hello().setStartedAtMs(Long.MAX_VALUE)),
        Arguments.of("name", hello().setName("longer than ten")),
        Arguments.of("name", hello().setName("a\u001b[2J")),
        Arguments.of("version", hello().setVersion("1\n2")),
        Arguments.of("platform", hello().setPlatform("longer than ten")),
        Arguments.of("pools", hello().addPools("nul\0")),
        Arguments.of("pools", hello().addPools("a").addPools("b").addPools("c")),
        Arguments.of("labels", hello().putLabels("a", "longer than ten")),
        Arguments.of("labels", hello().putLabels("a\0", "b")),
        Arguments.of("labels", hello().putLabels("", "b")),
        Arguments.of("capabilities", hello().addCapabilities("gpu\n")),
        Arguments.of("capabilities", hello().addCapabilities(" ")),
        Arguments.of("capabilities", hello().addCapabilities("longer than ten")),
        Arguments.of("capabilities", hello().addAllCapabilities(Collections.nCopies(3, "gpu"))),
        Arguments.of("memory_bytes", hello().setMemoryBytes(-1)),
        Arguments.of("memory_bytes", hello().setMemoryBytes(Long.MAX_VALUE)),
        Arguments.of("cpu_millis", hello().setCpuMillis(-1)),
        Arguments.of("cpu_millis", hello().setCpuMillis(Integer.MAX_VALUE)),
        Arguments.of("held", hello().addHeld(held())),
        Arguments.of(
            "held", hello().addHeld(held().setPhase(Held.Phase.RUNNING).setDispatchId("x"))),
        Arguments.of("held", hello().addHeld(held().setPhase(Held.Phase.ENDED).setTaskId("x"))),
        Arguments.of("held", hello().addHeld(held().setPhaseValue(99))),
        Arguments.of(
            "held", hello().addHeld(held().setPhase(Held.Phase.PREPARING).setAdopted(true))),
        Arguments.of(
            "held",
            hello()
                .addHeld(held().setPhase(Held.Phase.RUNNING))
                .addHeld(held().setPhase(Held.Phase.ENDED))),
        Arguments.of("held", hello().addAllHeld(Collections.nCopies(4, held().build()))));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void a_hello_that_is_not_allowed_is_refused_for_good_with_the_name_of_its_field(
      String field, Hello.Builder hello) {
    var connection =
        new WorkerConnection(
            new GatewaySettings("r", Duration.ofSeconds(1), Duration.ofSeconds(1), LIMITS));
    var commands = connection.received(of(hello));
    var reject = ((GatewayCommand.Refuse) commands.getFirst()).message().getReject();
    assertThat(reject.getReason()).startsWith("hello: " + field);
    assertThat(reject.getPermanent()).isTrue();
    assertThat(commands.getLast()).isInstanceOf(GatewayCommand.Close.class);
    assertThat(commands).hasSize(2);
  }

  @Test
  void the_messages_of_these_tests_are_well_formed() {
    var listener = new Listener(LIMITS);
    assertThat(listener.hear(of(hello()), Stamps.AS_TOLD)).isInstanceOf(Heard.Hello.class);
    assertThat(
            listener.hear(of(hello().addHeld(held().setPhase(Held.Phase.ENDED))), Stamps.AS_TOLD))
        .isInstanceOf(Heard.Hello.class);
    assertThat(listener.hear(of(started()), Stamps.AS_TOLD)).isInstanceOf(Heard.Started.class);
    assertThat(listener.hear(of(finished()), Stamps.AS_TOLD)).isInstanceOf(Heard.Ended.class);
    assertThat(listener.hear(of(refusal()), Stamps.AS_TOLD)).isInstanceOf(Heard.Ended.class);
  }

  @Test
  void what_a_worker_offers_is_heard_and_an_older_agent_offers_no_more_than_before() {
    var listener = new Listener(LIMITS);
    var offering =
        hello()
            .setSlots(2)
            .putLabels("zone", "a")
            .addCapabilities("gpu")
            .addCapabilities("gpu")
            .setMemoryBytes(1L << 34)
            .setCpuMillis(1_500);
    assertThat(listener.hear(of(offering), Stamps.AS_TOLD))
        .isInstanceOfSatisfying(
            Heard.Hello.class,
            heard ->
                assertThat(heard.worker().profile().offer())
                    .isEqualTo(
                        new Offer(
                            offering.getPoolsList(),
                            2,
                            Map.of("zone", "a"),
                            Set.of("gpu"),
                            new Offer.Resources(1L << 34, 1_500))));
    assertThat(listener.hear(of(hello().setSlots(2)), Stamps.AS_TOLD))
        .isInstanceOfSatisfying(
            Heard.Hello.class,
            heard ->
                assertThat(heard.worker().profile().offer())
                    .isEqualTo(new Offer(hello().getPoolsList(), 2, Map.of())));
  }

  @Test
  void texts_of_an_outcome_are_cut_and_cleared_instead_of_refused() {
    var finished =
        finished()
            .setDetail("a\0b\0\uD83D\uDE00")
            .setAborted(Aborted.newBuilder().setReason("0123456789x"));
    var heard = (Heard.Ended) new Listener(LIMITS).hear(of(finished), Stamps.AS_TOLD);
    assertThat(heard.execution().detail()).isEqualTo("a b ");
    assertThat(heard.outcome()).isEqualTo(new Outcome.Aborted("0123456789"));
  }

  @Test
  void noise_never_throws_out_of_a_connection() {
    var random = new Random(1);
    var settings = new GatewaySettings("r", Duration.ofSeconds(1), Duration.ofSeconds(1), LIMITS);
    int understood = 0;
    for (int i = 0; i < 20_000; i++) {
      var bytes = of(hello().addHeld(held().setPhase(Held.Phase.DIED))).toByteArray();
      for (int flips = random.nextInt(6); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      var message = parsed(bytes);
      if (message.isPresent()) {
        understood++;
        new WorkerConnection(settings).received(message.get());
      }
    }
    assertThat(understood).isGreaterThan(1_000);
  }

  /** Empty when the transport would reject the bytes. */
  private static Optional<AgentMessage> parsed(byte[] bytes) {
    try {
      return Optional.of(AgentMessage.parseFrom(bytes));
    } catch (InvalidProtocolBufferException notAMessage) {
      return Optional.empty();
    }
  }

  private static Hello.Builder hello() {
    return Hello.newBuilder()
        .setWorkerId(ID)
        .setSessionId(ID)
        .setKey(WorkerKey.random(new Random(1)).bytes())
        .setSessionNumber(1)
        .setSlots(4)
        .setConnection(1)
        .setName("w");
  }

  private static Held.Builder held() {
    return Held.newBuilder().setDispatchId(ID).setTaskId(TASK);
  }

  private static Started.Builder started() {
    return Started.newBuilder().setDispatchId(ID).setTaskId(TASK).setAtMs(1);
  }

  @Test
  void stall_is_heard_with_its_limit() {
    var stalled = finished().clearExit();
    stalled.getStalledBuilder().setLimitMs(5_000);
    assertThat(new Listener(LIMITS).hear(of(stalled), Stamps.AS_TOLD))
        .isInstanceOfSatisfying(
            Heard.Ended.class,
            ended ->
                assertThat(ended.outcome()).isEqualTo(new Outcome.Stalled(Duration.ofSeconds(5))));
  }

  private static Finished.Builder finished() {
    return Finished.newBuilder()
        .setDispatchId(ID)
        .setTaskId(TASK)
        .setExit(Exit.getDefaultInstance());
  }

  private static Refused.Builder refusal() {
    return Refused.newBuilder().setDispatchId(ID).setTaskId(TASK);
  }

  private static AgentMessage of(Started.Builder started) {
    return AgentMessage.newBuilder().setStarted(started).build();
  }

  private static AgentMessage of(Finished.Builder finished) {
    return AgentMessage.newBuilder().setFinished(finished).build();
  }

  private static AgentMessage of(Refused.Builder refused) {
    return AgentMessage.newBuilder().setRefused(refused).build();
  }

  private static AgentMessage of(Hello.Builder hello) {
    return AgentMessage.newBuilder().setHello(hello).build();
  }
}
