package dev.belay.domain.reap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.reap.WorkerSign.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MassSilenceTest {

  @ParameterizedTest
  @CsvSource({
    // silent, heard, given up long ago, closed; mass silence?
    "5, 11, 0, 0, true", // more than 30 %
    "5, 12, 0, 0, false", // not more than 30 %
    "4, 0, 0, 0, false", // too few to tell
    "50, 50, 0, 0, true",
    "5, 5, 0, 50, true", // closed workers are neither silent nor heard
    "4, 6, 100, 0, false", // workers given up long ago prove nothing
    "0, 10, 0, 90, false"
  })
  void many_workers_that_fall_silent_together_are_mass_silence(
      int silent, int heard, int past, int closed, boolean likely) {
    List<WorkerSign> workers = new ArrayList<>();
    workers.addAll(Collections.nCopies(silent, open(Duration.ofSeconds(60))));
    workers.addAll(Collections.nCopies(heard, open(Duration.ofSeconds(3))));
    workers.addAll(Collections.nCopies(past, open(Duration.ofHours(1))));
    workers.addAll(
        Collections.nCopies(
            closed, sign(new Link.Closed(Duration.ofSeconds(60)), Duration.ofSeconds(60))));
    assertThat(MassSilence.isLikely(workers, ReapSettings.DEFAULT)).isEqualTo(likely);
  }

  private static WorkerSign open(Duration silence) {
    return sign(new Link.Open(), silence);
  }

  private static WorkerSign sign(Link link, Duration silence) {
    return new WorkerSign(
        link, silence, Duration.ofDays(1), silence, silence, WorkerSign.Watched.NEVER);
  }
}
