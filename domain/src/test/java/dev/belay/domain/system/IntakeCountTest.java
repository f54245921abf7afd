package dev.belay.domain.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.system.IntakeCount.Limit;
import dev.belay.domain.system.IntakeCount.Verdict;
import dev.belay.domain.system.Tenant.SubmitRate;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IntakeCountTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final SubmitRate TEN_A_SECOND = new SubmitRate(10, Duration.ofSeconds(1));

  @Test
  void a_submit_takes_tokens_and_a_refused_one_says_when_there_are_enough() {
    var tenant = tenant(null, TEN_A_SECOND);
    var full = new IntakeCount(0, NOW, 10, NOW);

    var rest = accepted(full.submit(tenant, 8, NOW));
    assertThat(rest.tokens()).isEqualTo(2);
    assertThat(rest.submit(tenant, 5, NOW))
        .isEqualTo(new Verdict.Refused(Limit.SUBMIT_RATE, Duration.ofMillis(300)));
    assertThat(rest.submit(tenant, 5, NOW.plusMillis(300))).isInstanceOf(Verdict.Accepted.class);
    assertThat(rest.submit(tenant, 11, NOW.plusSeconds(99)))
        .isEqualTo(new Verdict.Refused(Limit.SUBMIT_RATE, null));
  }

  @Test
  void no_window_has_more_than_the_rate_and_a_full_bucket_whatever_the_clock_does() {
    var random = new Random(7);
    var tenant = tenant(null, TEN_A_SECOND);
    var count = new IntakeCount(0, NOW, 10, NOW);
    long accepted = 0;
    Instant now = NOW;
    Instant latest = NOW;
    for (int i = 0; i < 10_000; i++) {
      now = now.plusMillis(random.nextInt(60) - 10);
      latest = now.isAfter(latest) ? now : latest;
      int size = 1 + random.nextInt(3);
      if (count.submit(tenant, size, now) instanceof Verdict.Accepted(var next)) {
        count = next;
        accepted += size;
      }
      long elapsed = Duration.between(NOW, latest).toMillis();
      assertThat(accepted).isLessThanOrEqualTo(10 + elapsed / 100 + 1);
    }
    assertThat(accepted).isGreaterThan(1_000);
  }

  @Test
  void a_full_tenant_is_counted_before_it_is_refused_and_at_most_once_a_second() {
    var tenant = tenant(5, null);
    var full = new IntakeCount(5, NOW, 0, NOW);
    var soon = NOW.plusMillis(999);

    assertThat(full.submit(tenant, 1, soon))
        .isEqualTo(new Verdict.Refused(Limit.MAX_WAITING, Duration.ofSeconds(1)));
    var later = NOW.plusSeconds(1);
    assertThat(full.submit(tenant, 1, later)).isEqualTo(new Verdict.MustCount());
    assertThat(full.counted(5, later).submit(tenant, 1, later))
        .isEqualTo(new Verdict.Refused(Limit.MAX_WAITING, Duration.ofSeconds(1)));
    assertThat(accepted(full.counted(2, later).submit(tenant, 3, later)).waiting()).isEqualTo(5);
    assertThat(full.counted(0, later).submit(tenant, 6, later))
        .isEqualTo(new Verdict.Refused(Limit.MAX_WAITING, null));
  }

  @Test
  void an_old_count_is_not_trusted() {
    var tenant = tenant(5, null);
    var old = new IntakeCount(0, NOW, 0, NOW);
    assertThat(old.submit(tenant, 1, NOW.plusSeconds(9))).isInstanceOf(Verdict.Accepted.class);
    assertThat(old.submit(tenant, 1, NOW.plusSeconds(10))).isEqualTo(new Verdict.MustCount());
  }

  private static IntakeCount accepted(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
    return ((Verdict.Accepted) verdict).next();
  }

  private static Tenant tenant(@Nullable Integer maxWaiting, @Nullable SubmitRate rate) {
    return new Tenant("t", null, 1, null, maxWaiting, rate);
  }
}
