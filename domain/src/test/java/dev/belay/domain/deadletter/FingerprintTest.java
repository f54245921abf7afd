package dev.belay.domain.deadletter;

import static dev.belay.domain.deadletter.DeadLetterReason.DISPATCH_FAILED;
import static dev.belay.domain.deadletter.DeadLetterReason.FAILED;
import static dev.belay.domain.deadletter.DeadLetterReason.NO_WORKERS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no such file: /srv/app/a.py              | no such file: <path>
          no such file: ./a/b and ~/c/d/           | no such file: <path> and <path>
          task 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11 is away | task <id> is away
          ran longer than 1500 ms at 12:30:05.7    | ran longer than <n> ms at <n>
          commit 3f9a0b1c2d, address 0x7ffE        | commit <hex>, address <hex>
          exit_code: 3                             | exit_code: 3
          unavailable: exit_code 75                | unavailable: exit_code 75
          no worker of the pool gpu-2              | no worker of the pool gpu-2
          and/or  a    b                           | and/or a b
          facade cabbage                           | facade cabbage
          """)
  void what_differs_from_task_to_task_is_left_out(String detail, String text) {
    assertThat(Fingerprint.of(FAILED, detail).text()).isEqualTo(text);
  }

  @Test
  void details_of_one_cause_share_a_fingerprint_and_reasons_do_not() {
    var first = Fingerprint.of(DISPATCH_FAILED, "no resources: /srv/work/1: error 28");
    var second = Fingerprint.of(DISPATCH_FAILED, "no resources: /srv/work/22: error 28");
    assertThat(first).isEqualTo(second);
    assertThat(first.hash()).hasSize(16);
    assertThat(Fingerprint.of(NO_WORKERS, "no resources: /srv/work/1: error 28").hash())
        .isNotEqualTo(first.hash());
  }

  @Test
  void a_long_detail_costs_little() {
    long begun = System.nanoTime();
    Fingerprint.of(FAILED, "/a".repeat(1_000_000));
    Fingerprint.of(FAILED, "0a".repeat(1_000_000));
    Fingerprint.of(FAILED, "1.".repeat(1_000_000));
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
  }
}
