package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares with cron-utils in UTC, where both read an expression in the same way. With {@code
 * -Dbelay.instants-file=F} it writes the expressions and instants to a file, for a comparison with
 * programs in other languages.
 */
class CronUtilsTest {

  private static final int EXPRESSIONS = Integer.getInteger("belay.expressions", 60);
  private static final int INSTANTS = 50;
  private static final ZonedDateTime FROM =
      ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  @Test
  void agrees_on_the_common_syntax() throws Exception {
    var parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    RandomCron expressions = new RandomCron(new Random(14), true);
    StringBuilder lines = new StringBuilder();
    int compared = 0;
    while (compared < EXPRESSIONS) {
      String expression = expressions.fiveFields();
      if (new NaiveCron(expression).hasEveryDayInOtherWords()) {
        continue;
      }
      Cron cron;
      try {
        cron = Cron.parse(expression);
      } catch (Cron.BadCron neverFires) {
        continue;
      }
      var instants = compare(expression, cron, ExecutionTime.forCron(parser.parse(expression)));
      lines.append(expression).append('\t').append(instants).append('\n');
      compared++;
    }
    String file = System.getProperty("belay.instants-file");
    if (file != null) {
      Files.writeString(Path.of(file), lines);
    }
    System.out.println("cron-utils: " + compared + " expressions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 12 L * ?",
        "0 0 12 LW * ?",
        "0 0 12 L-3 * ?",
        "0 0 12 15W * ?",
        "0 0 12 ? * FRI#2",
        "0 0 12 ? * MON#5",
        "30 15 10 ? * MON-FRI",
        "*/20 0/25 2 1 JAN,JUL ?"
      })
  void agrees_on_the_forms_of_quartz(String expression) throws Exception {
    var parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    compare(expression, Cron.parse(expression), ExecutionTime.forCron(parser.parse(expression)));
  }

  private static List<Long> compare(String expression, Cron cron, ExecutionTime other) {
    Timing timing = new Timing(cron, ZoneOffset.UTC, Dst.DEFAULT, null, null, null, Duration.ZERO);
    Instant ours = FROM.toInstant();
    ZonedDateTime theirs = FROM;
    List<Long> instants = new ArrayList<>();
    for (int each = 0; each < INSTANTS; each++) {
      ours = timing.next(ours).orElseThrow();
      Optional<ZonedDateTime> next = other.nextExecution(theirs);
      assertThat(next.map(ZonedDateTime::toInstant)).as(expression).contains(ours);
      theirs = next.orElseThrow();
      instants.add(ours.getEpochSecond());
    }
    return instants;
  }
}
