package dev.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LimitTest {

  @ParameterizedTest
  @EnumSource
  void each_is_found_by_name_and_reads_what_it_writes(Limit one) {
    long value = Limits.DEFAULT.of(one);
    assertThat(Limit.named(one.word())).contains(one);
    assertThat(one.parse(one.format(value))).contains(value);
    assertThat(one.meaning()).isNotBlank();
  }

  @Test
  void a_chosen_one_changes_no_other() {
    var limits = new Limits(Map.of(Limit.PAGE_MAX, 7L));
    assertThat(limits.count(Limit.PAGE_MAX)).isEqualTo(7);
    assertThat(limits.of(Limit.BODY_MAX)).isEqualTo(Limits.DEFAULT.of(Limit.BODY_MAX));
  }

  @ParameterizedTest
  @CsvSource({"BODY_MAX, 512KiB, 524288", "BODY_MAX, 1GiB, 1073741824", "BODY_MAX, 100, 100"})
  void sizes_have_units(Limit one, String text, long value) {
    assertThat(one.parse(text)).contains(value);
  }

  @ParameterizedTest
  @CsvSource({"BODY_MAX, 8MB", "BODY_MAX, 0", "PAGE_MAX, -1", "PAGE_MAX, 2.5", "LOG_RETENTION, 7"})
  void what_is_not_a_value_is_refused(Limit one, String text) {
    assertThat(one.parse(text)).isEmpty();
  }
}
