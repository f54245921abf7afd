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

/**
 * Makes partitions. Rows for which there is none go to the default partition: nothing is ever
 * refused.
 */
public final class Partitions {

  private static final Logger log = LoggerFactory.getLogger(Partitions.class);

  /** It locks the whole table: while it waits behind a long read, so does everybody else. */
  private static final Duration LOCK_MAX = Duration.ofSeconds(1);

  private static final DateTimeFormatter NAME = DateTimeFormatter.BASIC_ISO_DATE;

  private final Jdbi jdbi;

  public Partitions(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Makes the partitions of this week and of {@code weeksAhead} more, where they are missing. */
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
    // Names and bounds are made from a date: no value of a user is in this text.
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
