package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.ScheduleGroup;
import dev.belay.store.recovery.KindSummary;
import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;

/** Promised and measured times of recoveries, triggers and runs, and alerts. */
final class RecoveryHandlers {

  private static final Duration WINDOW_DEFAULT = Duration.ofDays(7);

  /** The retention of recoveries. */
  private static final Duration WINDOW_MAX = Duration.ofDays(90);

  private final RestDependencies parts;

  RecoveryHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  HttpResponse summary(Call call) {
    var window = call.duration("window", WINDOW_DEFAULT, WINDOW_MAX);
    var kinds = parts.store().recoveries().summary(window);
    var body = new LinkedHashMap<String, Object>();
    body.put("window", Durations.format(window));
    body.put("count", kinds.stream().mapToLong(KindSummary::count).sum());
    body.put("late", kinds.stream().mapToLong(KindSummary::late).sum());
    body.put("kinds", kinds);
    return Answers.ok(body);
  }

  HttpResponse lateness(Call call) {
    var window = call.duration("window", WINDOW_DEFAULT, WINDOW_MAX);
    var promised = parts.settings().of(ScheduleGroup.SCHEDULE_PROMISE);
    var lateness = parts.store().lateness();
    var triggers = lateness.triggers(window, promised);
    var all = triggers.getFirst();
    var body = new LinkedHashMap<String, Object>();
    body.put("window", Durations.format(window));
    body.put("promised_ms", promised.toMillis());
    body.put("count", all.count());
    body.put("late", all.late());
    body.put("p50_ms", all.p50Ms());
    body.put("p99_ms", all.p99Ms());
    body.put("worst_ms", all.worstMs());
    body.put("triggers", triggers.subList(1, triggers.size()));
    body.put("promises", lateness.promises(window));
    return Answers.ok(body);
  }

  HttpResponse events(Call call) {
    return Answers.page(
        parts
            .store()
            .recoveries()
            .list(call.numberedCursor(), call.limit(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse alerts(Call call) {
    return Answers.page(
        parts
            .store()
            .alerts()
            .list(call.numberedCursor(), call.limit(parts.settings().of(RequestGroup.PAGE_MAX))));
  }
}
