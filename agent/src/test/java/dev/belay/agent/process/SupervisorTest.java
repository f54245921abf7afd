package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {

  @TempDir Path temp;

  @Test
  void next_agent_waits_for_a_supervisor_that_is_not_done() throws Exception {
    Set<SessionId> sessions;
    try (var scene = new Scene(temp.resolve("agent"))) {
      sessions = Set.of(scene.session);
      assertThat(isGone(sessions, Duration.ofMillis(20))).isFalse();
      assertThat(isGone(Set.of(new SessionId(UUID.randomUUID())), Duration.ZERO)).isTrue();
    }
    assertThat(isGone(sessions, Duration.ofSeconds(5))).isTrue();
  }

  private static boolean isGone(Set<SessionId> sessions, Duration within) {
    return Supervisor.awaitEnd(sessions, within, Duration.ofMillis(10));
  }
}
