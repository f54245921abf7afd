package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreviewCommandTest {

  @TempDir Path home;

  private Shell.Result preview(String arguments) {
    // An expression is one argument: it has ~ for its spaces.
    var words = ("schedule preview " + arguments).split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].replace('~', ' ');
    }
    return new Shell(home).run(words);
  }

  @Test
  void marks_a_shifted_time() {
    var result = preview("30~2~*~*~* --zone Europe/Zurich --from 2025-03-29 -n 3");

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            INSTANT               LOCAL TIME               OFFSET  CLOCK CHANGE
            2025-03-29T01:30:00Z  Sat 2025-03-29 02:30:00  +01:00
            2025-03-30T01:30:00Z  Sun 2025-03-30 03:30:00  +02:00  02:30 does not exist, shifted by 1h
            2025-03-31T00:30:00Z  Mon 2025-03-31 02:30:00  +02:00
            """);
  }

  @Test
  void shows_skipped_and_repeated_times() {
    var spring = preview("30~2~*~*~* --zone Europe/Zurich --from 2025-03-30 --gap skip -n 1");
    assertThat(spring.out())
        .contains("skipped               Sun 2025-03-30 02:30:00          02:30 does not exist\n")
        .contains("2025-03-31T00:30:00Z");

    var autumn =
        preview("30~2~*~*~* --zone Europe/Zurich --from 2025-10-26T02:15 --repeat both -n 2");
    assertThat(autumn.out())
        .contains("2025-10-26T00:30:00Z  Sun 2025-10-26 02:30:00  +02:00  first of two 02:30\n")
        .contains("2025-10-26T01:30:00Z  Sun 2025-10-26 02:30:00  +01:00  second of two 02:30\n");
  }

  @Test
  void the_first_time_counts_and_the_default_is_now_in_utc() {
    assertThat(preview("0~12~*~*~* --from 2025-03-30T12:00:00Z -n 1").out())
        .contains("2025-03-30T12:00:00Z");
    assertThat(preview("0~*~*~*~* -n 1").out()).contains("2026-03-01T13:00:00Z");
    assertThat(preview("@daily").out().lines()).hasSize(21);
  }

  @Test
  void periods_have_an_anchor_and_jitter() {
    var result = preview("--every 15m --anchor 2026-01-01T00:05:00Z --jitter 30s -n 2");
    assertThat(result.out())
        .contains("2026-03-01T12:05:00Z")
        .contains("2026-03-01T12:20:00Z")
        .contains("Runs start up to 30s later");
  }

  @Test
  void json_has_the_changes_of_the_clocks() {
    var result = preview("0~2~*~*~* --zone Europe/Zurich --from 2025-03-30 -n 1 -o json");
    assertThat(result.out())
        .contains("\"zone\" : \"Europe/Zurich\"")
        .contains("\"instant\" : \"2025-03-30T01:00:00Z\"")
        .contains("\"local\" : \"2025-03-30T03:00+02:00\"")
        .contains("\"clock_change\" : \"shifted\"")
        .contains("\"note\" : \"02:00 does not exist, shifted by 1h\"");
    assertThat(preview("0~2~*~*~* --zone Europe/Zurich --from 2025-03-30 --gap skip -o json").out())
        .contains("\"local\" : \"2025-03-30T02:00\"");
  }

  @Test
  void says_when_nothing_fires() {
    var result = preview("30~2~*~3~SUN#2 --zone America/New_York --gap skip");
    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo("It never fires from then on.\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0~2~*~*               | "0 2 * *" is not a cron expression: the expression has 4 fields
          60~2~*~*~*            | "60 2 * * *" is not a cron expression: minute "60": values are 0 to 59
          @daily --zone Europe/Zurch | There is no time zone "Europe/Zurch". Did you mean Europe/Zurich?
          @daily -n 0           | -n must be 1 to 1000.
          @daily -n 1001        | -n must be 1 to 1000.
          @daily --from soon    | --from is "soon"; it must be a time like
          @daily --every 15m    | --every and --anchor take the place of a cron expression.
          @daily --jitter much  | --jitter is "much"; it must be a time like 30s
          --every 10ms          | --every is 10ms; it must be at least 1s.
          --anchor 2026-01-01   | Give a cron expression in quotes, such as "0 2 * * *", or --every 15m.
          """)
  void says_what_is_wrong(String arguments, String message) {
    var result = preview(arguments);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains(message);
    assertThat(result.out()).isEmpty();
  }
}
