package dev.belay.store.partition;

import dev.belay.domain.id.Ids;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates partitions. A row without a partition goes to the default one, so no insert fails. */
public final class Partitions {

  private static final Logger log = LoggerFactory.getLogger(Partitions.class);

  /**
   * Creating a partition locks the whole table: while it waits for a long read, all others wait
   * too.
   */
  private static final Duration LOCK_MAX = Duration.ofSeconds(1);

  private static final DateTimeFormatter NAME = DateTimeFormatter.BASIC_ISO_DATE;

  private final Jdbi jdbi;

  public Partitions(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Creates the missing partitions of this week and of the next {@code weeksAhead} weeks. */
  public void ensure(LocalDate today, int weeksAhead) {
    LocalDate monday = today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    for (int week = 0; week <= weeksAhead; week++) {
      LocalDate from = monday.plusWeeks(week);
      LocalDate to = from.plusWeeks(1);
      create("history", from, instant(from), instant(to), "");
      create("attempt", from, id(from), id(to), " WITH (fillfactor = 70)");
    }
  }

  private void create(String table, LocalDate week, String from, String to, String storage) {
    // Names and bounds come from a date: this text contains no user input.
    String name = table + "_" + NAME.format(week);
    try {
      jdbi.useTransaction(
          handle -> {
            handle.execute("SET LOCAL lock_timeout = '" + LOCK_MAX.toMillis() + "ms'");
            handle.execute(
                "CREATE TABLE IF NOT EXISTS "
                    + name
                    + (" PARTITION OF " + table)
                    + (" FOR VALUES FROM ('" + from + "') TO ('" + to + "')")
                    + storage);
          });
    } catch (JdbiException failed) {
      log.atWarn().addKeyValue("partition", name).setCause(failed).log("partition not made");
    }
  }

  private static String instant(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toString();
  }

  private static String id(LocalDate day) {
    long millis = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    return new java.util.UUID(Ids.v7(millis, 0, 0).getMostSignificantBits() & ~0xFFFFL, 0)
        .toString();
  }
}
