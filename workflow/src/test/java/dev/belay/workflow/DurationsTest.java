package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S, 500ms",
    "10s, PT10S, 10s",
    "5m, PT5M, 5m",
    "2h, PT2H, 2h",
    "1d, PT24H, 1d",
    "1h30m, PT1H30M, 1h30m",
    "1d2h3m4s5ms, PT26H3M4.005S, 1d2h3m4s5ms",
    "90s, PT1M30S, 1m30s",
    "36h, PT36H, 1d12h",
    "0s, PT0S, 0s",
    "3650d, PT87600H, 3650d",
  })
  void duration_is_read_and_written(String text, Duration duration, String shortest) {
    assertThat(Durations.parse(text)).contains(duration);
    assertThat(Durations.format(duration)).isEqualTo(shortest);
    assertThat(Durations.parse(shortest)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "s",
        "5 m",
        "-5s",
        "+5s",
        "1.5h",
        "30m1h",
        "1h1h",
        "5M",
        "5min",
        "3651d",
        "9999999999s",
        "999999999d",
        "PT5M",
        "1h ",
        "٥s"
      })
  void anything_else_is_no_duration(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }
}
