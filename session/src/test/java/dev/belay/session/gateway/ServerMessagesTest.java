package dev.belay.session.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.reap.Lease;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.gateway.MailboxEntry.State;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ServerMessagesTest {

  private static final DispatchId ID = new DispatchId(new UUID(2, 1));
  private static final SessionId SESSION = new SessionId(new UUID(3, 1));
  private static final Lease LEASE = new Lease(Duration.ofSeconds(10), Duration.ofSeconds(2));

  @Test
  void only_a_strictly_fenced_dispatch_has_a_lease() {
    assertThat(message(Talk.strict(ID, SESSION, State.DISPATCHED)).getLeaseMs()).isEqualTo(8_000);
    assertThat(message(Talk.entry(ID, SESSION)).getLeaseMs()).isZero();
  }

  @Test
  void dispatch_carries_how_its_task_is_watched_and_stopped() {
    var usual = message(Talk.entry(ID, SESSION));
    assertThat(usual.getStallTimeoutMs()).isZero();
    assertThat(usual.hasStopGraceMs()).as("the worker's own grace applies").isFalse();
    var policy =
        new RunPolicy(
            RunPolicy.DEFAULT.retry(),
            RunPolicy.EXIT_CODES_DEFAULT,
            null,
            RunPolicy.WorkerLoss.DEFAULT,
            new RunPolicy.Stopping(Duration.ofMinutes(10), Duration.ZERO));
    var own =
        ServerMessages.dispatch(Talk.entry(ID, SESSION), Talk.work(policy).orElseThrow(), LEASE);
    assertThat(own.getStallTimeoutMs()).isEqualTo(600_000);
    assertThat(own.hasStopGraceMs()).isTrue();
    assertThat(own.getStopGraceMs()).isZero();
  }

  @Test
  void work_that_could_not_be_read_is_sent_as_nothing_to_start() {
    var entry = Talk.entry(ID, SESSION);
    var unread = new Assignment("default", "t", null, null, 3, Optional.empty());
    var message = ServerMessages.dispatch(entry, unread, LEASE);
    assertThat(message.getArgvList()).isEmpty();
    assertThat(message.getScript()).isEmpty();
    assertThat(message.getDispatchId()).isEqualTo(ID.toString());
    assertThat(message.getAttempt()).isEqualTo(3);
    assertThat(message.getRunId()).isEmpty();
  }

  private static Dispatch message(MailboxEntry entry) {
    return ServerMessages.dispatch(entry, entry.assignment().orElseThrow(), LEASE);
  }
}
