package dev.belay.domain.reap;

import static dev.belay.domain.reap.LivenessRule.AGENT_CLOSED;
import static dev.belay.domain.reap.LivenessRule.AGENT_SILENT;
import static dev.belay.domain.reap.LivenessRule.DISPATCH_LOST;
import static dev.belay.domain.reap.LivenessRule.SESSION_OVER;
import static dev.belay.domain.reap.LivenessRule.WORKER_GONE;
import static dev.belay.domain.task.TaskState.DISPATCHED;
import static dev.belay.domain.task.TaskState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.belay.domain.reap.WorkerSign.Link;
import dev.belay.domain.reap.WorkerSign.Watched;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule: when it fires, just before that, and where it would be wrong. */
class LivenessRuleTest {

  private static final ReapSettings RULES = ReapSettings.DEFAULT;

  private static final ReapContext CALM = new ReapContext(false, Optional.empty(), time("24h"));
  private static final ReapContext MASS = new ReapContext(true, Optional.empty(), time("24h"));

  static Stream<Arguments> ends() {
    return Stream.of(
        arguments("its worker was deleted", WORKER_GONE, deleted(RUNNING), "worker_gone"),
        arguments("before it started", WORKER_GONE, deleted(DISPATCHED), "worker_gone"),
        arguments("hung up 15 s ago", AGENT_CLOSED, gone(RUNNING, "15s", "5s"), "agent_lost"),
        arguments("so did not start", AGENT_CLOSED, gone(DISPATCHED, "15s", "16s"), "agent_lost"),
        arguments("silent for 90 s", AGENT_SILENT, open(RUNNING, "90s", "91s"), "agent_lost"),
        arguments("left, then silent", AGENT_SILENT, left(RUNNING, "90s", "100s"), "agent_lost"),
        arguments("never began", DISPATCH_LOST, open(DISPATCHED, "0s", "3m"), "dispatch_lost"),
        arguments(
            "woke up, and yet", DISPATCH_LOST, awake(DISPATCHED, "30s", "3m"), "dispatch_lost"),
        arguments("prepares for ever", DISPATCH_LOST, preparing("15m"), "dispatch_lost"),
        arguments("old session", SESSION_OVER, ofOldSession(RUNNING, "30s"), "worker_restarted"));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource
  void ends(String what, LivenessRule rule, Attempt attempt, String reason) {
    assertThat(rule.judge(attempt, RULES, CALM))
        .isInstanceOfSatisfying(
            LivenessVerdict.End.class, end -> assertThat(end.kind().reason()).isEqualTo(reason));
    assertThat(LivenessRule.judgeAll(attempt, RULES, CALM)).isInstanceOf(LivenessVerdict.End.class);
  }

  static Stream<Arguments> leaves() {
    return Stream.of(
        // just not yet
        arguments("hung up a moment ago", AGENT_CLOSED, gone(RUNNING, "14s", "1h")),
        arguments("silent for not so long", AGENT_SILENT, open(RUNNING, "89s", "1h")),
        arguments("silent, but the dispatch is new", AGENT_SILENT, open(RUNNING, "90s", "29s")),
        arguments("may still start", DISPATCH_LOST, open(DISPATCHED, "0s", "179s")),
        arguments("the gateway has its turn", SESSION_OVER, ofOldSession(RUNNING, "29s")),
        // would be wrong
        arguments("alive and well", AGENT_CLOSED, open(RUNNING, "3s", "1h")),
        arguments("alive and well", AGENT_SILENT, open(RUNNING, "3s", "1h")),
        arguments("alive and well", WORKER_GONE, open(RUNNING, "3s", "1h")),
        arguments("alive and well", SESSION_OVER, open(RUNNING, "3s", "1h")),
        arguments("the server hung up, not the worker", AGENT_CLOSED, left(RUNNING, "60s", "1h")),
        arguments("prepares for a while", DISPATCH_LOST, preparing("14m")),
        arguments("its worker is silent", DISPATCH_LOST, open(DISPATCHED, "60s", "3m")),
        arguments("its worker woke up", DISPATCH_LOST, awake(DISPATCHED, "29s", "3m")),
        arguments("its worker left", DISPATCH_LOST, left(DISPATCHED, "5s", "3m")),
        arguments("its worker came a moment ago", DISPATCH_LOST, arrived(DISPATCHED, "1h")),
        arguments("runs for an hour", DISPATCH_LOST, open(RUNNING, "3s", "1h")));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource
  void leaves(String what, LivenessRule rule, Attempt attempt) {
    assertThat(rule.judge(attempt, RULES, CALM)).isInstanceOf(LivenessVerdict.Leave.class);
  }

  /** Silence does not grow while no replica could listen. */
  @Test
  void silence_counts_only_while_somebody_listened() {
    var unseen = sign(new Link.Open(), time("1h"), Duration.ZERO);
    assertThat(LivenessRule.judgeAll(attempt(RUNNING, unseen, "2h"), RULES, CALM))
        .isInstanceOf(LivenessVerdict.Leave.class);
  }

  @Test
  void silence_of_many_is_held_for_a_while_and_a_closed_connection_is_not() {
    assertThat(AGENT_SILENT.judge(open(RUNNING, "90s", "1h"), RULES, MASS))
        .isInstanceOf(LivenessVerdict.Leave.class);
    assertThat(AGENT_SILENT.judge(open(RUNNING, "689s", "1h"), RULES, MASS))
        .isInstanceOf(LivenessVerdict.Leave.class);
    assertThat(AGENT_SILENT.judge(open(RUNNING, "690s", "1h"), RULES, MASS))
        .isInstanceOf(LivenessVerdict.End.class);
    assertThat(AGENT_CLOSED.judge(gone(RUNNING, "15s", "1h"), RULES, MASS))
        .isInstanceOf(LivenessVerdict.End.class);
  }

  /** Written facts need no grace after an election; an unknown silence does. */
  static Stream<Arguments> across_elections() {
    var elected = context(GraceReason.ELECTION, "24h");
    return Stream.of(
        arguments("hung up", AGENT_CLOSED, gone(RUNNING, "15s", "1h"), elected, true),
        arguments("hung up a moment ago", AGENT_CLOSED, gone(RUNNING, "14s", "1h"), elected, false),
        arguments("deleted", WORKER_GONE, deleted(RUNNING), elected, true),
        arguments("restarted", SESSION_OVER, ofOldSession(RUNNING, "30s"), elected, true),
        arguments("silent", AGENT_SILENT, open(RUNNING, "90s", "1h"), elected, false),
        arguments(
            "not for a grace more", AGENT_SILENT, open(RUNNING, "119s", "1h"), elected, false),
        arguments("for a grace more", AGENT_SILENT, open(RUNNING, "120s", "1h"), elected, true),
        // The database or all replicas were down since: a hello could not be written.
        arguments(
            "deaf since", AGENT_CLOSED, gone(RUNNING, "60s", "2h"), context(null, "29s"), false),
        arguments(
            "deaf before", AGENT_CLOSED, gone(RUNNING, "15s", "1h"), context(null, "15s"), true),
        arguments(
            "listening again",
            AGENT_CLOSED,
            gone(RUNNING, "60s", "2h"),
            context(null, "30s"),
            true),
        arguments(
            "deaf since its hello",
            SESSION_OVER,
            ofOldSession(RUNNING, "40s"),
            context(null, "29s"),
            false),
        // The database's times cannot be trusted.
        arguments(
            "clock jumped",
            AGENT_CLOSED,
            gone(RUNNING, "1m", "1h"),
            context(GraceReason.CLOCK_STEP, "24h"),
            false),
        arguments(
            "clock jumped",
            SESSION_OVER,
            ofOldSession(RUNNING, "1m"),
            context(GraceReason.CLOCK_STEP, "24h"),
            false));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource
  void across_elections(
      String what, LivenessRule rule, Attempt attempt, ReapContext context, boolean ends) {
    assertThat(rule.judge(attempt, RULES, context) instanceof LivenessVerdict.End).isEqualTo(ends);
  }

  /** Repeated outages and elections: five minutes of graces are the limit. */
  static Stream<Arguments> all_graces_together_have_an_end() {
    return Stream.of(
        arguments(AGENT_CLOSED, new Link.Closed(time("1h")), "314s", false),
        arguments(AGENT_CLOSED, new Link.Closed(time("1h")), "315s", true),
        arguments(AGENT_SILENT, new Link.Open(), "389s", false),
        arguments(AGENT_SILENT, new Link.Open(), "390s", true),
        arguments(AGENT_SILENT, new Link.Left(), "390s", true));
  }

  @ParameterizedTest
  @MethodSource
  void all_graces_together_have_an_end(
      LivenessRule rule, Link link, String listened, boolean ends) {
    var sign =
        new WorkerSign(link, time("1h"), time("1h"), Duration.ZERO, time(listened), watched("1s"));
    for (var reason : GraceReason.values()) {
      var judged = rule.judge(attempt(RUNNING, sign, "1h"), RULES, context(reason, "1s"));
      assertThat(judged instanceof LivenessVerdict.End).as("%s", reason).isEqualTo(ends);
    }
  }

  @Test
  void dispatch_that_nobody_could_watch_for_long_is_lost_after_all_graces() {
    var elected = context(GraceReason.ELECTION, "24h");
    assertThat(DISPATCH_LOST.judge(awake(DISPATCHED, "1s", "479s"), RULES, elected))
        .isInstanceOf(LivenessVerdict.Leave.class);
    assertThat(DISPATCH_LOST.judge(awake(DISPATCHED, "1s", "480s"), RULES, elected))
        .isInstanceOf(LivenessVerdict.End.class);
    var alive = sign(new Link.Open(), Duration.ZERO, Duration.ZERO).with(watched("1s"));
    var deaf = new Attempt(DISPATCHED, time("2h"), time("479s"), false, true, Optional.of(alive));
    assertThat(DISPATCH_LOST.judge(deaf, RULES, elected)).isInstanceOf(LivenessVerdict.Leave.class);
  }

  private static ReapContext context(@Nullable GraceReason grace, String steady) {
    return new ReapContext(false, Optional.ofNullable(grace), time(steady));
  }

  @Test
  void strict_attempt_may_run_until_its_lease_is_over_for_everybody() {
    // 60 s, 1 % and 5 s after the last heartbeat
    assertThat(mayRunOn(gone(RUNNING, "15s", "1h"))).isEqualTo(Duration.ofMillis(50_600));
    assertThat(mayRunOn(open(RUNNING, "90s", "1h"))).isZero();
    assertThat(mayRunOn(deleted(RUNNING))).isEqualTo(Duration.ofMillis(65_600));
    assertThat(mayRunOn(open(DISPATCHED, "0s", "3m"))).isZero();
    var jumped =
        new WorkerSign(
            new Link.Closed(time("1h")),
            time("1h"),
            time("2h"),
            time("1h"),
            time("1h"),
            watched("20s"));
    assertThat(mayRunOn(attempt(RUNNING, jumped, "2h")))
        .as("only what was watched has surely passed")
        .isEqualTo(Duration.ofMillis(45_600));
  }

  private static Duration mayRunOn(Attempt attempt) {
    return LivenessRule.judgeAll(attempt, RULES, CALM) instanceof LivenessVerdict.End end
        ? end.mayRunOn()
        : Duration.ofDays(1);
  }

  private static Attempt deleted(TaskState state) {
    return new Attempt(state, Duration.ZERO, Duration.ZERO, false, false, Optional.empty());
  }

  private static Attempt gone(TaskState state, String since, String age) {
    Duration time = time(since);
    return attempt(state, sign(new Link.Closed(time), time, time), age);
  }

  private static Attempt left(TaskState state, String silence, String age) {
    return attempt(state, sign(new Link.Left(), time(silence), time(silence)), age);
  }

  private static Attempt open(TaskState state, String silence, String age) {
    return attempt(state, sign(new Link.Open(), time(silence), time(silence)), age);
  }

  private static WorkerSign sign(Link link, Duration sinceSeen, Duration silence) {
    return new WorkerSign(link, sinceSeen, Duration.ofDays(1), silence, silence, watched("24h"));
  }

  private static Watched watched(String time) {
    return new Watched(time(time), time(time));
  }

  private static Attempt awake(TaskState state, String lively, String age) {
    var alive = sign(new Link.Open(), Duration.ZERO, Duration.ZERO);
    return attempt(state, alive.with(new Watched(Duration.ZERO, time(lively))), age);
  }

  private static Attempt arrived(TaskState state, String age) {
    var fresh =
        new WorkerSign(
            new Link.Open(),
            Duration.ZERO,
            time("179s"),
            Duration.ZERO,
            Duration.ZERO,
            watched("24h"));
    return attempt(state, fresh, age);
  }

  private static Attempt preparing(String age) {
    var alive = sign(new Link.Open(), Duration.ZERO, Duration.ZERO);
    return new Attempt(DISPATCHED, time(age), time(age), true, true, Optional.of(alive));
  }

  private static Attempt ofOldSession(TaskState state, String sinceHello) {
    var alive =
        new WorkerSign(
            new Link.Open(),
            Duration.ZERO,
            time(sinceHello),
            Duration.ZERO,
            Duration.ZERO,
            Watched.NEVER);
    return new Attempt(state, time("2h"), time("2h"), false, false, Optional.of(alive));
  }

  private static Attempt attempt(TaskState state, WorkerSign worker, String age) {
    return new Attempt(state, time(age), time(age), false, true, Optional.of(worker));
  }

  private static Duration time(String text) {
    return Duration.parse("PT" + text);
  }
}
