package dev.belay.engine.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Started;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentTimesTest {

  /** Three unrelated clocks (database, server, agent) that start at the same moment. */
  private static final Instant DATABASE = Instant.parse("2026-01-01T00:00:00Z");

  private static final long TICKER_MS = -7_777_777;
  private static final long AGENT_MS = 1_000_000_000;

  private final DatabaseClock database = new DatabaseClock();
  private final AgentTimes times = new AgentTimes(database);

  AgentTimesTest() {
    lookAt(0);
  }

  private void lookAt(long second) {
    database.look(DATABASE.plusSeconds(second), ticker(second), ticker(second));
  }

  @Test
  void result_that_a_cut_held_back_keeps_its_times() {
    hear(heartbeat(1), 1);
    // sent at 10 and 20, but the network was cut until 80
    assertThat(hear(started(10, 10), 80).getStarted().getAtMs())
        .isCloseTo(databaseMs(10), within(10L));
    var finished = hear(finished(10, 20, 20), 80).getFinished();
    assertThat(finished.getStartedAtMs()).isCloseTo(databaseMs(10), within(10L));
    assertThat(finished.getEndedAtMs()).isCloseTo(databaseMs(20), within(10L));
  }

  @Test
  void result_that_the_agent_kept_until_it_could_connect_keeps_its_times() {
    var finished = hear(finished(10, 20, 205), 205).getFinished();
    assertThat(finished.getStartedAtMs()).isEqualTo(databaseMs(10));
    assertThat(finished.getEndedAtMs()).isEqualTo(databaseMs(20));
  }

  @Test
  void first_messages_that_were_late_are_forgotten_as_soon_as_one_is_quick() {
    hear(heartbeat(1), 31);
    assertThat(hear(started(40, 40), 40).getStarted().getAtMs()).isEqualTo(databaseMs(40));
  }

  @Test
  void clocks_that_drift_apart_stay_together() {
    hear(heartbeat(1), 1);
    long day = Duration.ofDays(1).toSeconds();
    // the agent's clock lost 4 s since
    var late =
        message().setSentAtMs(agentMs(day) - 4_000).setStarted(startedAt(agentMs(day) - 4_000));
    assertThat(hear(late.build(), day).getStarted().getAtMs()).isEqualTo(databaseMs(day));
  }

  @Test
  void step_of_the_databases_clock_is_followed() {
    hear(heartbeat(1), 1);
    database.look(DATABASE.plusSeconds(3_600 + 5), ticker(5), ticker(5));
    assertThat(hear(started(6, 7), 7).getStarted().getAtMs()).isEqualTo(databaseMs(3_606));
  }

  @Test
  void slow_answer_shows_that_the_databases_clock_was_set() {
    database.look(DATABASE.plusSeconds(3_600), ticker(5), ticker(35));
    assertThat(hear(started(40, 40), 40).getStarted().getAtMs()).isEqualTo(databaseMs(3_620));
  }

  @Test
  void slow_answer_of_the_database_is_not_believed() {
    database.look(DATABASE.plusSeconds(5), ticker(5), ticker(35));
    assertThat(hear(started(40, 40), 40).getStarted().getAtMs()).isEqualTo(databaseMs(40));
  }

  /** Seed 14803. Each answer may be off by half of the time that it took. */
  @Test
  void of_the_first_answers_that_are_all_slow_the_fastest_counts() {
    var slow = new DatabaseClock();
    slow.look(DATABASE.plusSeconds(1), ticker(1), ticker(9));
    slow.look(DATABASE.plusSeconds(10), ticker(10), ticker(11));
    assertThat(slow.at(TICKER_MS)).isEmpty();
    slow.look(DATABASE.plusSeconds(12), ticker(12), ticker(20));
    assertThat(slow.at(DatabaseClock.millis(ticker(30))).orElseThrow())
        .isCloseTo(databaseMs(30), within(500L));
  }

  @Test
  void before_the_database_was_heard_no_time_is_told() {
    var deaf = new AgentTimes(new DatabaseClock());
    var started = hear(deaf, started(10, 10), 10);
    assertThat(started.getStarted().getAtMs()).isZero();
    var finished = hear(deaf, finished(10, 20, 20), 20).getFinished();
    assertThat(finished.getStartedAtMs()).as("that it ran is known").isPositive();
    assertThat(finished.getEndedAtMs()).isZero();
  }

  @Test
  void what_never_started_has_no_start() {
    var never = message().setSentAtMs(agentMs(20)).setFinished(ended(0, agentMs(20))).build();
    assertThat(hear(never, 20).getFinished().getStartedAtMs()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 253_402_300_799_999L, Long.MAX_VALUE})
  void hostile_stamps_are_times_up_to_now_or_none(long stamp) {
    for (long sent : new long[] {Long.MIN_VALUE, -1, 0, 1, agentMs(20), Long.MAX_VALUE}) {
      var message = message().setSentAtMs(sent).setFinished(ended(stamp, stamp)).build();
      var finished = hear(message, 20).getFinished();
      assertThat(finished.getStartedAtMs()).isBetween(0L, databaseMs(20));
      assertThat(finished.getEndedAtMs()).isBetween(0L, databaseMs(20));
    }
  }

  private AgentMessage hear(AgentMessage message, long second) {
    return hear(times, message, second);
  }

  /** The message with the database's times. */
  private static AgentMessage hear(AgentTimes times, AgentMessage message, long second) {
    var stamps = times.of(message.getSentAtMs(), ticker(second));
    var told = message.toBuilder();
    if (message.hasStarted()) {
      long at = message.getStarted().getAtMs();
      told.getStartedBuilder().setAtMs(stamps.of(at, at));
    }
    if (message.hasFinished()) {
      long started = message.getFinished().getStartedAtMs();
      long ended = message.getFinished().getEndedAtMs();
      told.getFinishedBuilder()
          .setStartedAtMs(started > 0 ? Math.max(1, stamps.of(started, ended)) : 0)
          .setEndedAtMs(stamps.of(ended, ended));
    }
    return told.build();
  }

  private static long ticker(long second) {
    return (TICKER_MS + second * 1_000) * 1_000_000;
  }

  private static long agentMs(long second) {
    return AGENT_MS + second * 1_000;
  }

  private static long databaseMs(long second) {
    return DATABASE.plusSeconds(second).toEpochMilli();
  }

  private static AgentMessage.Builder message() {
    return AgentMessage.newBuilder();
  }

  private static AgentMessage heartbeat(long sent) {
    return message()
        .setSentAtMs(agentMs(sent))
        .setHeartbeat(Heartbeat.newBuilder().setNumber(1))
        .build();
  }

  private static AgentMessage started(long at, long sent) {
    return message().setSentAtMs(agentMs(sent)).setStarted(startedAt(agentMs(at))).build();
  }

  private static Started startedAt(long atMs) {
    return Started.newBuilder().setAtMs(atMs).build();
  }

  private static AgentMessage finished(long started, long ended, long sent) {
    return message()
        .setSentAtMs(agentMs(sent))
        .setFinished(ended(agentMs(started), agentMs(ended)))
        .build();
  }

  private static Finished ended(long startedAtMs, long endedAtMs) {
    return Finished.newBuilder().setStartedAtMs(startedAtMs).setEndedAtMs(endedAtMs).build();
  }
}
