package dev.belay.cli.schedule;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.OutputFormat;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import dev.belay.domain.schedule.ClockChange;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Preview;
import dev.belay.domain.schedule.Recurrence;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.Times;
import dev.belay.workflow.Durations;
import dev.belay.workflow.Suggestion;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the next instants of an expression. */
@Command(
    name = "preview",
    description = {
      "Show the next instants of a cron expression or a period; needs no server.",
      "The output marks instants that a change of the clocks affects."
    },
    footer = {
      "  belay schedule preview \"0 2 * * *\" --zone Europe/Berlin -n 20",
      "  belay schedule preview \"30 2 * * *\" --zone Europe/Berlin --from 2027-03-26",
      "  belay schedule preview \"0 9 * * MON#1\" -o json",
      "  belay schedule preview --every 15m --anchor 2026-01-01T00:05:00Z",
      "",
      "Fields: [second] minute hour day-of-month month day-of-week. Also L, L-3, LW",
      "and 15W in the day of month, FRIL and FRI#2 in the day of week, @daily, @hourly.",
      "An hour field with * or a step follows real time, whatever --gap and --repeat."
    })
public final class PreviewCommand extends BelayCommand {

  private static final int COUNT_MAX = 1_000;
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  @Parameters(paramLabel = "CRON", arity = "0..1", description = "The cron expression, in quotes.")
  @Nullable String expression;

  @Option(
      names = "--every",
      paramLabel = "PERIOD",
      description = "A period like 15m, in place of CRON.")
  @Nullable String every;

  @Option(
      names = "--anchor",
      paramLabel = "TIME",
      description = "An instant of --every; else 1970-01-01T00:00:00Z.")
  @Nullable String anchor;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone, such as Europe/Berlin; else UTC.")
  String zone = "UTC";

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "How many instants, up to 1000; else 20.")
  int count = 20;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = {
        "The first time that counts: 2027-03-28T01:00:00Z, or 2027-03-28 or",
        "2027-03-28T02:30 in the zone; else now."
      })
  @Nullable String from;

  @Option(
      names = "--gap",
      paramLabel = "shift|skip",
      description = "For local times that do not exist: shift them by the gap (default), or skip.")
  Dst.Gap gap = Dst.DEFAULT.gap();

  @Option(
      names = "--repeat",
      paramLabel = "first|last|both",
      description = "For local times that occur twice; else first.")
  Dst.Repeat repeat = Dst.DEFAULT.repeat();

  @Option(
      names = "--jitter",
      paramLabel = "TIME",
      description = "Runs start up to this much later, like 30s.")
  @Nullable String jitter;

  @Option(
      names = {"-o", "--output"},
      order = 90,
      paramLabel = "FORMAT",
      description = "table or json.")
  OutputFormat output = OutputFormat.TABLE;

  public PreviewCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    if (count < 1 || count > COUNT_MAX) {
      throw misused("-n must be 1 to " + COUNT_MAX + ".");
    }
    Timing timing = timing();
    Instant after = from(timing.zone()).minusNanos(1);
    Preview preview = Preview.of(timing, null, after, count);
    switch (output) {
      case TABLE -> table(timing, preview);
      case JSON -> json(timing, preview);
    }
    return ExitCode.OK;
  }

  private Timing timing() throws CommandFailed {
    Duration jitterMax = jitter == null ? Duration.ZERO : duration("--jitter", jitter);
    return new Timing(recurrence(), zone(), new Dst(gap, repeat), null, null, null, jitterMax);
  }

  private Recurrence recurrence() throws CommandFailed {
    if (expression == null && every == null) {
      throw misused("Give a cron expression in quotes, such as \"0 2 * * *\", or --every 15m.");
    }
    if (expression != null && (every != null || anchor != null)) {
      throw misused("--every and --anchor take the place of a cron expression.");
    }
    if (every != null) {
      Duration period = duration("--every", every);
      if (period.compareTo(Every.PERIOD_MIN) < 0) {
        throw misused("--every is %s; it must be at least 1s.".formatted(every));
      }
      Instant at = anchor == null ? Every.ANCHOR_DEFAULT : time("--anchor", anchor, zone());
      return new Every(period, at);
    }
    try {
      return Cron.parse(String.valueOf(expression));
    } catch (Cron.BadCron e) {
      throw misused("\"%s\" is not a cron expression: %s.".formatted(expression, e.getMessage()));
    }
  }

  private ZoneId zone() throws CommandFailed {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      String meant =
          Suggestion.nearest(zone, ZoneId.getAvailableZoneIds())
              .map(name -> " Did you mean %s?".formatted(name))
              .orElse(" Names are like Europe/Berlin.");
      throw misused("There is no time zone \"%s\".%s".formatted(zone, meant));
    }
  }

  private Instant from(ZoneId zone) throws CommandFailed {
    return from == null ? surroundings.clock().instant() : time("--from", from, zone);
  }

  private static Instant time(String option, String text, ZoneId zone) throws CommandFailed {
    Optional<Instant> instant = Times.parse(text);
    if (instant.isPresent()) {
      return instant.get();
    }
    try {
      LocalDateTime local =
          text.contains("T") ? LocalDateTime.parse(text) : LocalDate.parse(text).atStartOfDay();
      return local.atZone(zone).toInstant();
    } catch (DateTimeException e) {
      throw misused(
          "%s is \"%s\"; it must be a time like 2027-03-28T01:00:00Z, or a date or time in the zone"
                  .formatted(option, text)
              + " like 2027-03-28 or 2027-03-28T02:30.");
    }
  }

  private static Duration duration(String option, String text) throws CommandFailed {
    return Durations.parse(text)
        .orElseThrow(
            () ->
                misused(
                    "%s is \"%s\"; it must be a time like 30s, 15m or 1h30m."
                        .formatted(option, text)));
  }

  private static CommandFailed misused(String message) {
    return new CommandFailed(ExitCode.USAGE, message);
  }

  private void table(Timing timing, Preview preview) {
    if (preview.lines().isEmpty()) {
      print("It never fires from then on.");
      return;
    }
    Table table = new Table("INSTANT", "LOCAL TIME", "OFFSET", "CLOCK CHANGE");
    for (Preview.Line line : preview.lines()) {
      switch (line) {
        case Preview.Line.Fires fires ->
            table.add(
                Cell.of(fires.instant().toString()),
                Cell.of(LOCAL.format(fires.local())),
                Cell.of(fires.local().getOffset().getId()),
                Cell.whole(change(fires.change())));
        case Preview.Line.Skips skips ->
            table.add(
                new Cell("skipped", style::dim),
                new Cell(LOCAL.format(skips.local()), style::dim),
                Cell.of(""),
                Cell.whole(skipped(skips)));
      }
    }
    printAll(table.lines(style));
    if (!timing.jitter().isZero()) {
      print("Runs start up to %s later, for an instant always by the same time.".formatted(jitter));
    }
  }

  private static String change(@Nullable ClockChange change) {
    return change == null ? "" : change.text();
  }

  private static String skipped(Preview.Line.Skips skips) {
    String first = skips.local().toLocalTime() + " does not exist";
    return skips.count() == 1
        ? first
        : "%s, nor do %,d later ones".formatted(first, skips.count() - 1);
  }

  private void json(Timing timing, Preview preview) {
    var answer = Json.object();
    answer.put("zone", timing.zone().getId());
    ArrayNode instants = answer.putArray("instants");
    ArrayNode skipped = answer.putArray("skipped");
    for (Preview.Line line : preview.lines()) {
      switch (line) {
        case Preview.Line.Fires fires -> {
          var item = instants.addObject();
          item.put("instant", fires.instant().toString());
          item.put("local", fires.local().toString());
          if (fires.change() != null) {
            item.put("clock_change", fires.change().kind().name().toLowerCase(Locale.ROOT));
            item.put("note", fires.change().text());
          }
        }
        case Preview.Line.Skips skips ->
            skipped
                .addObject()
                .put("local", skips.local().toString())
                .put("count", skips.count())
                .put("note", skipped(skips));
      }
    }
    print(Json.pretty(answer));
  }
}
