package dev.belay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.server.ServerSettings.Intervals;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ThresholdTest {

  @ParameterizedTest
  @EnumSource
  void each_is_set_and_no_other_changes(Threshold one) {
    Duration other = one.of(Intervals.DEFAULT).plusMillis(7);
    Intervals intervals = Threshold.set(Map.of(one, other));
    for (Threshold each : Threshold.values()) {
      assertThat(each.of(intervals))
          .as(each.word())
          .isEqualTo(each == one ? other : each.of(Intervals.DEFAULT));
    }
    assertThat(Threshold.named(one.word())).contains(one);
    assertThat(one.meaning()).isNotBlank();
  }

  @Test
  void without_a_choice_all_are_the_defaults() {
    assertThat(Threshold.set(Map.of())).isEqualTo(Intervals.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "AGENT_SILENT, 15s, agent-silent", // three reports
    "LEASE, 19s, lease",
    "DISPATCH_LOST, 15s, dispatch-lost",
    "DATABASE_GAP, 3s, database-gap",
    "AGENT_GONE, 0s, gone",
    "REPORT, 31s, routableSilence"
  })
  void what_does_not_fit_is_refused_by_name(Threshold one, String value, String named) {
    var chosen = Map.of(one, Duration.parse("PT" + value));
    assertThatThrownBy(() -> Threshold.set(chosen))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @Test
  void those_that_fit_only_together_are_compared_together() {
    var chosen =
        Map.of(
            Threshold.REPORT, Duration.ofMillis(500),
            Threshold.AGENT_GONE, Duration.ofSeconds(1),
            Threshold.AGENT_SILENT, Duration.ofSeconds(2));
    assertThat(Threshold.set(chosen).reap().liveness().silent()).isEqualTo(Duration.ofSeconds(2));
  }
}
