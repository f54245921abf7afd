package dev.belay.domain.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {

  @ParameterizedTest
  @CsvSource({
    "2026-12-24T18:00:00Z, 2026-12-24T18:00:00Z",
    "2026-12-24T18:00Z, 2026-12-24T18:00:00Z",
    "2026-12-24T18:00:00+01:00, 2026-12-24T17:00:00Z",
    "2026-12-24T18:00:00.250-05:30, 2026-12-24T23:30:00.250Z",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
    "2199-12-31T23:59:59.999999Z, 2199-12-31T23:59:59.999999Z",
  })
  void a_time_has_a_zone_or_an_offset(String text, Instant time) {
    assertThat(Times.parse(text)).contains(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "2026-12-24",
        "2026-12-24T18:00:00",
        "2026-13-24T18:00:00Z",
        "2026-12-24 18:00:00Z",
        "1969-12-31T23:59:59Z",
        "2200-01-01T00:00:00Z",
        "+999999999-12-31T23:59:59Z",
        "2199-12-31T23:59:59.9999999Z"
      })
  void other_texts_are_no_times(String text) {
    assertThat(Times.parse(text)).isEmpty();
  }

  @Test
  void what_the_database_cannot_hold_counts_up_so_that_nothing_fires_early() {
    assertThat(Times.parse("2026-12-24T18:00:00.000000001Z"))
        .contains(Instant.parse("2026-12-24T18:00:00.000001Z"));
  }
}
