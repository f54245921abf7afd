package dev.belay.engine.schedule;

import dev.belay.engine.port.PromiseReads.DueCheck;
import dev.belay.engine.port.PromiseReads.LateInstant;
import dev.belay.engine.port.PromiseReads.NewestRun;
import dev.belay.engine.port.PromiseReads.OverdueRun;
import dev.belay.engine.port.PromiseReads.WorkflowName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What alerts about promises tell people. */
final class PromiseTexts {

  private static final String TENANT_DEFAULT = "default";

  private PromiseTexts() {}

  static String overdue(OverdueRun run) {
    String waits =
        run.waitsFor().isEmpty()
            ? "It is %s.".formatted(run.state())
            : "It is %s. %s.".formatted(run.state(), String.join("; ", run.waitsFor()));
    return "run %s of workflow %s has not ended within its deadline of %s. %s"
        .formatted(run.id(), name(run.workflow()), span(run.deadline()), waits);
  }

  static String missing(DueCheck due, @Nullable NewestRun newest) {
    String said =
        newest == null
            ? "It has no run."
            : "Its newest run %s is %s%s."
                .formatted(
                    newest.id(),
                    newest.state(),
                    newest.reason() == null ? "" : " (" + newest.reason() + ")");
    return "no run of workflow %s succeeded by %s %s (%s), nor in the day before it. %s"
        .formatted(
            name(due.workflow()), due.expectBy().time(), due.expectBy().zone(), due.at(), said);
  }

  static String late(int count, LateInstant worst, Duration promised) {
    return "%d %s fired later than promised (%s). The worst: trigger %s of workflow %s, due %s, was %s late."
        .formatted(
            count,
            count == 1 ? "instant" : "instants",
            span(promised),
            worst.trigger(),
            name(worst.workflow()),
            worst.at(),
            span(worst.late()));
  }

  private static String name(WorkflowName workflow) {
    return workflow.tenant().equals(TENANT_DEFAULT)
        ? workflow.name()
        : workflow.name() + " of tenant " + workflow.tenant();
  }

  /** Such as 1d2h, 5m30s or 1.5s: as people write durations. */
  static String span(Duration span) {
    if (span.compareTo(Duration.ofMinutes(1)) < 0) {
      return java.math.BigDecimal.valueOf(span.toMillis(), 3).stripTrailingZeros().toPlainString()
          + "s";
    }
    var text = new StringBuilder();
    part(text, span.toDays(), "d");
    part(text, span.toHoursPart(), "h");
    part(text, span.toMinutesPart(), "m");
    part(text, span.toSecondsPart(), "s");
    return text.toString();
  }

  private static void part(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(count).append(unit);
    }
  }
}
