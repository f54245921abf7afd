package dev.belay.domain.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogMarkTest {

  @Test
  void marks_say_how_much_and_why() {
    assertThat(LogMark.leftOut(199_229_440)).isEqualTo("[belay: 190.0 MiB left out here]\n");
    assertThat(LogMark.missing(1_258_291, "the server's log disk was full"))
        .isEqualTo("[belay: 1.2 MiB missing here: the server's log disk was full]\n");
    assertThat(LogMark.missing(1023, "x")).isEqualTo("[belay: 1023 bytes missing here: x]\n");
    assertThat(LogMark.leftOut(1 << 20)).isEqualTo("[belay: 1.0 MiB left out here]\n");
  }

  @Test
  void a_mark_is_never_longer_than_its_bound() {
    assertThat(
            LogMark.missing(Long.MAX_VALUE, "the server's logs take all the space that they may"))
        .isEqualTo(
            "[belay: 8.0 EiB missing here: the server's logs take all the space that they may]\n")
        .satisfies(
            mark ->
                assertThat(mark.getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(LogMark.MAX_BYTES));
  }
}
