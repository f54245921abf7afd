package dev.belay.domain.reap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.TaskId;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PromisesTest {

  @Test
  void every_kind_has_its_promise() {
    var promised =
        Arrays.stream(RecoveryKind.values())
            .map(kind -> kind.word() + " " + Promises.DEFAULT.of(kind).toSeconds())
            .collect(Collectors.joining("\n"));
    assertThat(promised)
        .isEqualTo(
            """
            agent_closed 20
            agent_silent 100
            dispatch_lost 190
            worker_restarted 3
            session_over 40
            machine_rebooted 3
            worker_gone 5
            not_reported 20
            deadline_passed 5
            running_too_long 5
            pending_replayed 130
            wait_expired 10
            orphan_run 420\
            """);
  }

  @Test
  void promises_follow_the_settings() {
    var usual = Promises.DEFAULT;
    var faster =
        new Promises(
            usual.reconnect(),
            usual.silence(),
            usual.dispatch(),
            usual.session(),
            Duration.ofSeconds(1),
            usual.pending(),
            usual.orphan());
    assertThat(faster.of(RecoveryKind.NOT_REPORTED)).isEqualTo(Duration.ofSeconds(8));
    assertThat(faster.of(RecoveryKind.AGENT_CLOSED)).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void words_name_kinds() {
    for (var kind : RecoveryKind.values()) {
      assertThat(RecoveryKind.of(kind.word())).contains(kind);
    }
    assertThat(RecoveryKind.of("agent_lost")).isEmpty();
    assertThat(RecoveryKind.AGENT_SILENT.reason()).isEqualTo("agent_lost");
  }

  @Test
  void time_before_the_last_sign_is_that_sign_and_something_must_be_found() {
    assertThat(found(Duration.ofSeconds(-3)).sinceLastSign()).isZero();
    assertThatThrownBy(
            () ->
                new Recovered(
                    RecoveryKind.ORPHAN_RUN, null, null, null, null, Duration.ZERO, Duration.ZERO))
        .hasMessageContaining("ORPHAN_RUN");
  }

  private static Recovered found(Duration since) {
    return new Recovered(
        RecoveryKind.AGENT_CLOSED,
        new TaskId(new UUID(1, 1)),
        null,
        null,
        null,
        since,
        Duration.ofSeconds(20));
  }
}
