package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.schedule.Cron.BadCron;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTest {

  /** The next times after Thursday, 1 January 2026, 00:00. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 2 * * *             | 2026-01-01T02:00 2026-01-02T02:00
          30 * * * *            | 2026-01-01T00:30 2026-01-01T01:30
          15 30 12 * * *        | 2026-01-01T12:30:15 2026-01-02T12:30:15
          */20 * * * * *        | 2026-01-01T00:00:20 2026-01-01T00:00:40 2026-01-01T00:01
          */25 * * * *          | 2026-01-01T00:25 2026-01-01T00:50 2026-01-01T01:00
          10-40/10 5 * * *      | 2026-01-01T05:10 2026-01-01T05:20 2026-01-01T05:30 2026-01-01T05:40 2026-01-02T05:10
          5/15 0 * * *          | 2026-01-01T00:05 2026-01-01T00:20 2026-01-01T00:35 2026-01-01T00:50 2026-01-02T00:05
          0 22-2 * * *          | 2026-01-01T01:00 2026-01-01T02:00 2026-01-01T22:00 2026-01-01T23:00 2026-01-02T00:00
          0 22-3/2 * * *        | 2026-01-01T02:00 2026-01-01T22:00 2026-01-02T00:00 2026-01-02T02:00
          58-2 9 * * *          | 2026-01-01T09:00 2026-01-01T09:01 2026-01-01T09:02 2026-01-01T09:58 2026-01-01T09:59 2026-01-02T09:00
          0 0 30-2 * *          | 2026-01-02T00:00 2026-01-30T00:00 2026-01-31T00:00 2026-02-01T00:00 2026-02-02T00:00 2026-03-01T00:00
          0 0 25-5/3 * *        | 2026-01-03T00:00 2026-01-25T00:00 2026-01-28T00:00 2026-01-31T00:00 2026-02-03T00:00
          0 0 1 dec-Feb *       | 2026-02-01T00:00 2026-12-01T00:00 2027-01-01T00:00
          0 0 1 2,Apr,12 *      | 2026-02-01T00:00 2026-04-01T00:00 2026-12-01T00:00
          0 0 * * 0             | 2026-01-04T00:00 2026-01-11T00:00
          0 0 * * 7             | 2026-01-04T00:00 2026-01-11T00:00
          0 0 * * sun           | 2026-01-04T00:00 2026-01-11T00:00
          0 0 * * 5-7           | 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00 2026-01-09T00:00
          0 0 * * FRI-MON       | 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00 2026-01-05T00:00 2026-01-09T00:00
          0 0 * * 7-2           | 2026-01-04T00:00 2026-01-05T00:00 2026-01-06T00:00 2026-01-11T00:00
          0 0 * * 0-7           | 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00 2026-01-05T00:00
          0 0 * * 7-7           | 2026-01-04T00:00 2026-01-11T00:00
          0 0 * * 1-5/2         | 2026-01-02T00:00 2026-01-05T00:00 2026-01-07T00:00 2026-01-09T00:00
          0 0 * * 4/2           | 2026-01-03T00:00 2026-01-08T00:00 2026-01-10T00:00
          0 0 ? * 3             | 2026-01-07T00:00 2026-01-14T00:00
          0 0 9 * ?             | 2026-01-09T00:00 2026-02-09T00:00
          0 0 13 * FRI          | 2026-01-02T00:00 2026-01-09T00:00 2026-01-13T00:00 2026-01-16T00:00
          0 0 */10 * MON        | 2026-01-05T00:00 2026-01-11T00:00 2026-01-12T00:00 2026-01-19T00:00 2026-01-21T00:00
          0 0 1-31 * FRI        | 2026-01-02T00:00 2026-01-09T00:00
          0 0 13 * 0-6          | 2026-01-13T00:00 2026-02-13T00:00
          0 0 31 * *            | 2026-01-31T00:00 2026-03-31T00:00 2026-05-31T00:00
          0 0 29 2 *            | 2028-02-29T00:00 2032-02-29T00:00
          0 0 * 2 MON#5         | 2044-02-29T00:00 2072-02-29T00:00 2112-02-29T00:00
          0 0 L * *             | 2026-01-31T00:00 2026-02-28T00:00 2026-03-31T00:00
          0 0 L 2 *             | 2026-02-28T00:00 2027-02-28T00:00 2028-02-29T00:00
          0 0 l-3 * *           | 2026-01-28T00:00 2026-02-25T00:00 2026-03-28T00:00
          0 0 L-0 * *           | 2026-01-31T00:00 2026-02-28T00:00
          0 0 L-30 * *          | 2026-03-01T00:00 2026-05-01T00:00
          0 0 LW * *            | 2026-01-30T00:00 2026-02-27T00:00 2026-03-31T00:00 2026-04-30T00:00 2026-05-29T00:00
          0 0 15W * *           | 2026-01-15T00:00 2026-02-16T00:00 2026-03-16T00:00 2026-04-15T00:00 2026-05-15T00:00 2026-06-15T00:00 2026-07-15T00:00 2026-08-14T00:00
          0 0 1W 8 *            | 2026-08-03T00:00 2027-08-02T00:00
          0 0 31W 1,5 *         | 2026-01-30T00:00 2026-05-29T00:00 2027-01-29T00:00
          0 0 31W * *           | 2026-01-30T00:00 2026-03-31T00:00 2026-05-29T00:00
          0 0 1,15,L * *        | 2026-01-15T00:00 2026-01-31T00:00 2026-02-01T00:00 2026-02-15T00:00 2026-02-28T00:00
          0 0 * * FRIL          | 2026-01-30T00:00 2026-02-27T00:00 2026-03-27T00:00
          0 0 * * 5L            | 2026-01-30T00:00 2026-02-27T00:00
          0 0 * * 7L            | 2026-01-25T00:00 2026-02-22T00:00
          0 0 * * fri#2         | 2026-01-09T00:00 2026-02-13T00:00 2026-03-13T00:00
          0 0 * * 5#2           | 2026-01-09T00:00 2026-02-13T00:00
          0 0 * * THU#1         | 2026-02-05T00:00 2026-03-05T00:00
          0 0 * * 7#5           | 2026-03-29T00:00 2026-05-31T00:00
          0 0 * * MON,FRI#1     | 2026-01-02T00:00 2026-01-05T00:00 2026-01-12T00:00
          0 0 L * FRI#1         | 2026-01-02T00:00 2026-01-31T00:00 2026-02-06T00:00
          @yearly               | 2027-01-01T00:00 2028-01-01T00:00
          @annually             | 2027-01-01T00:00 2028-01-01T00:00
          @monthly              | 2026-02-01T00:00 2026-03-01T00:00
          @weekly               | 2026-01-04T00:00 2026-01-11T00:00
          @Daily                | 2026-01-02T00:00 2026-01-03T00:00
          @midnight             | 2026-01-02T00:00 2026-01-03T00:00
          @hourly               | 2026-01-01T01:00 2026-01-01T02:00
          """)
  void next_times(String expression, String expected) throws Exception {
    List<LocalDateTime> times = new ArrayList<>();
    int count = expected.split(" ").length;
    Cron cron = Cron.parse(expression);
    long last = second("2026-01-01T00:00");
    for (int each = 0; each < count; each++) {
      last = cron.nextLocal(last + 1, second("2200-01-01T00:00"));
      LocalDateTime time = LocalDateTime.ofEpochSecond(last, 0, ZoneOffset.UTC);
      assertThat(cron.matches(time)).as("%s", time).isTrue();
      times.add(time);
    }
    assertThat(times).containsExactlyElementsOf(parse(expected));
  }

  private static List<LocalDateTime> parse(String times) {
    return Arrays.stream(times.split(" ")).map(LocalDateTime::parse).toList();
  }

  private static long second(String local) {
    return LocalDateTime.parse(local).toEpochSecond(ZoneOffset.UTC);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      textBlock =
          """
          ''                     | the expression is empty: it needs 5 fields
          1 2 3                  | the expression has 3 fields: it needs 5 fields
          daily                  | the expression has 1 field: it needs 5 fields
          0 0 12 * * ? 2026      | the expression has 7 fields, as Quartz writes it with a year: leave out the year
          0 0 12 * * ? 2026 1    | the expression has 8 fields
          @reboot                | "@reboot" is not a preset: Belay fires at times only
          @every 5m              | "@every 5m" is not a preset: write every: 15m
          @fortnightly           | "@fortnightly" is not a preset: the presets are @yearly
          60 * * * *             | minute "60": values are 0 to 59; the full hour is 0
          60 * * * * *           | second "60": values are 0 to 59; the full minute is 0
          61 * * * *             | minute "61": values are 0 to 59
          -5 * * * *             | minute "-5": a value is missing
          100 * * * *            | minute "100": values are 0 to 59
          0 24 * * *             | hour "24": values are 0 to 23; midnight is 0
          0 9-25 * * *           | hour "9-25": values are 0 to 23
          0 9..17 * * *          | hour "9..17": values are 0 to 23
          0 0 0 * *              | day of month "0": values are 1 to 31; the last day is L
          0 0 32 * *             | day of month "32": values are 1 to 31; the last day is L
          0 0 1 13 *             | month "13": values are 1 to 12 or JAN to DEC
          0 0 1 january *        | month "JANUARY": write JAN; values are 1 to 12 or JAN to DEC
          0 0 1 TEB *            | month "TEB": values are 1 to 12 or JAN to DEC
          0 0 * * 8              | day of week "8": values are 0 to 7 or SUN to SAT
          0 0 * * monday         | day of week "MONDAY": write MON
          0 0 * * L              | day of week "L": write SAT for Saturdays, FRIL for the last Friday of a month, or L in the day of month for its last day
          0 0 * * FRI#6          | day of week "FRI#6": 1 to 5 must follow #
          0 0 * * FRI#0          | day of week "FRI#0": 1 to 5 must follow #
          0 0 * * FRI#           | day of week "FRI#": 1 to 5 must follow #
          0 0 * * #2             | day of week "#2": a value is missing
          0 0 * * 1W             | day of week "1W": W belongs into the day of month
          0 0 FRI#2 * *          | day of month "FRI#2": # belongs into the day of week
          0 0 1-5W * *           | day of month "1-5W": W follows one day
          0 0 W * *              | day of month "W": W follows one day
          0 0 0W * *             | day of month "0W": values are 1 to 31
          0 0 L-31 * *           | day of month "L-31": write L-1 to L-30
          0 0 L- * *             | day of month "L-": write L-1 to L-30
          0 0 L-3W * *           | day of month "L-3W": write L-1 to L-30
          0 0 3L * *             | day of month "3L": values are 1 to 31
          L * * * *              | minute "L": values are 0 to 59
          ? * * * *              | minute "?": only the days can have ?; write *
          * ? * * *              | hour "?": only the days can have ?; write *
          1,,2 * * * *           | minute "": a value is missing
          1,2, * * * *           | minute "": a value is missing
          5- * * * *             | minute "5-": a value is missing
          5-10-15 * * * *        | minute "5-10-15": values are 0 to 59
          */0 * * * *            | minute "*/0": a step of 1 to 59 must follow /
          */ * * * *             | minute "*/": a step of 1 to 59 must follow /
          */-5 * * * *           | minute "*/-5": a step of 1 to 59 must follow /
          */5/5 * * * *          | minute "*/5/5": a step of 1 to 59 must follow /
          */90 * * * *           | minute "*/90": the step must be 1 to 59, as it begins again with each hour; longer periods are written every: 90m
          0 */24 * * *           | hour "*/24": the step must be 1 to 23
          ** * * * *             | minute "**": values are 0 to 59
          0 0 30 2 *             | the expression never fires: no day of month "30" and day of week "*" exists in month "2"
          0 0 31 4,6,9,11 *      | the expression never fires
          0 0 31W 4 *            | the expression never fires
          0 0 L-30 2 *           | the expression never fires
          0 0 L-29 2 *           | the expression never fires
          """)
  void errors_name_the_field_and_what_would_be_right(String expression, String message) {
    assertThatThrownBy(() -> Cron.parse(expression))
        .isInstanceOf(BadCron.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void strange_characters_are_refused() {
    for (String text : List.of("0 0 * * Frı", "０ 0 * * *", "0 0 * *\n*", "0 0 * * \u0000")) {
      assertThatThrownBy(() -> Cron.parse(text)).isInstanceOf(BadCron.class);
    }
  }

  @Test
  void length_is_bounded() throws Exception {
    String fits = " ".repeat(Cron.CHARS_MAX - 9) + "* * * * *";
    assertThat(Cron.parse(fits).text()).isEqualTo(fits);
    assertThatThrownBy(() -> Cron.parse(" " + fits)).hasMessageContaining("longer than 256");
    String wrong = "9".repeat(200) + " * * * *";
    assertThatThrownBy(() -> Cron.parse(wrong))
        .hasMessageContaining("9...\"")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void equal_when_the_texts_are() throws Exception {
    assertThat(Cron.parse("0 2 * * *"))
        .isEqualTo(Cron.parse("0 2 * * *"))
        .hasSameHashCodeAs(Cron.parse("0 2 * * *"))
        .isNotEqualTo(Cron.parse("0  2 * * *"))
        .hasToString("0 2 * * *");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 * * * *      | true
          0 */2 * * *    | true
          0 5/2 * * *    | true
          0 0-23/3 * * * | true
          @hourly        | true
          0 0-23 * * *   | false
          */5 2 * * *    | false
          * 2,3 * * *    | false
          @daily         | false
          """)
  void hour_with_a_star_or_a_step_follows_real_time(String expression, boolean expected)
      throws Exception {
    assertThat(Cron.parse(expression).followsRealTime()).isEqualTo(expected);
  }

  /** {@link CronDays#everOccur} looks at one year of each kind. */
  @Test
  void years_have_fourteen_kinds() throws Exception {
    Set<String> kinds = new HashSet<>();
    for (int year = 1970; year < 2200; year++) {
      LocalDate first = LocalDate.of(year, 1, 1);
      kinds.add(first.getDayOfWeek() + " " + first.isLeapYear());
      // A day that exists only in leap years that begin on this day of the week.
      if (first.isLeapYear()) {
        String day = first.withMonth(2).withDayOfMonth(29).getDayOfWeek().name().substring(0, 3);
        assertThat(Cron.parse("0 0 * 2 " + day + "#5").text()).isNotEmpty();
      }
    }
    assertThat(kinds).hasSize(14);
  }
}
