package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.engine.statement.PauseStatements.TriggerControl;
import dev.belay.engine.statement.PauseStatements.TriggerName;
import dev.belay.settings.RequestGroup;
import dev.belay.store.read.Page;
import dev.belay.store.schedule.FireCursor;
import dev.belay.store.schedule.Trigger;
import dev.belay.store.schedule.Trigger.Fire;
import dev.belay.store.schedule.TriggerReads;
import dev.belay.store.schedule.TriggerReads.FireFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Triggers: list, show with past and next instants, ledger, pause, resume. */
final class ScheduleHandlers {

  private static final int INSTANTS_DEFAULT = 20;
  private static final int INSTANTS_MAX = 200;

  /** Triggers that one answer shows with their instants. */
  private static final int SHOWN_MAX = 20;

  private static final int REMOVED_MAX = 20;
  private static final int NAMED_MAX = 10;

  /** An estimate of the memory that an instant takes until it is written. */
  private static final long INSTANT_BYTES = 1_000;

  private final RestDependencies parts;

  ScheduleHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  /** The words of the ledger. */
  private enum Outcome {
    FIRED,
    SKIPPED,
    COALESCED,
    CHECKED
  }

  private TriggerReads reads() {
    return parts.store().triggers();
  }

  HttpResponse list(Call call) {
    var page =
        reads()
            .triggers(
                call.tenant(),
                call.text("workflow"),
                call.window(parts.settings().of(RequestGroup.PAGE_MAX)));
    var view = view();
    var items =
        parts.checking().callApart(call, () -> page.items().stream().map(view::trigger).toList());
    return Answers.page(items, page.next());
  }

  private ScheduleView view() {
    return new ScheduleView(reads().calendars());
  }

  private record Shown(Trigger trigger, List<Fire> past) {}

  HttpResponse schedule(Call call) {
    var tenant = call.tenant();
    var workflow = call.path("name");
    var named = call.text("trigger");
    int past = count(call, "past");
    int next = count(call, "next");
    var page =
        named == null
            ? reads().triggers(tenant, workflow, new Page.Window(null, SHOWN_MAX))
            : new Page<>(List.of(trigger(tenant, workflow, named)), null);
    if (page.items().isEmpty()) {
      requireWorkflow(tenant, workflow);
    }
    call.needs(INSTANT_BYTES * page.items().size() * (past + next));
    var shown = new ArrayList<Shown>();
    for (Trigger trigger : page.items()) {
      shown.add(new Shown(trigger, past(trigger, past)));
    }
    var view = view();
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("tenant", tenant);
    body.put("workflow", workflow);
    body.put(
        "triggers",
        parts
            .checking()
            .callApart(call, () -> shown.stream().map(one -> shown(view, one, next)).toList()));
    body.put("more", page.next() != null);
    body.put("removed", named == null ? reads().removed(tenant, workflow, REMOVED_MAX) : List.of());
    return Answers.ok(body);
  }

  private static int count(Call call, String name) {
    var given = call.numberOrNull(name, 0, INSTANTS_MAX);
    return given == null ? INSTANTS_DEFAULT : Math.toIntExact(given);
  }

  private List<Fire> past(Trigger trigger, int count) {
    if (count == 0) {
      return List.of();
    }
    var name = trigger.name();
    var filter = new FireFilter(name.tenant(), name.workflow(), name.name(), null);
    return reads().fires(filter, null, count).items();
  }

  private static Map<String, @Nullable Object> shown(ScheduleView view, Shown one, int next) {
    var json = view.trigger(one.trigger());
    json.put("past", one.past().stream().map(ScheduleView::fire).toList());
    json.put("next", view.next(one.trigger(), next));
    return json;
  }

  HttpResponse fires(Call call) {
    var tenant = call.tenant();
    var workflow = call.path("name");
    var trigger = call.text("trigger");
    var outcomes = call.words("outcome", Outcome.class);
    if (outcomes.size() > 1) {
      throw Call.bad("outcome", call.text("outcome"), "one outcome");
    }
    var outcome = outcomes.stream().findFirst().map(ScheduleHandlers::word).orElse(null);
    var page =
        reads()
            .fires(
                new FireFilter(tenant, workflow, trigger, outcome),
                cursor(call),
                call.limit(parts.settings().of(RequestGroup.PAGE_MAX)));
    if (page.items().isEmpty() && page.next() == null) {
      requireTrigger(tenant, workflow, trigger);
    }
    var next = page.next();
    return Answers.page(
        page.items().stream().map(ScheduleView::fire).toList(),
        next == null ? null : next.toString());
  }

  private static @Nullable FireCursor cursor(Call call) {
    var text = call.text("cursor");
    return text == null
        ? null
        : FireCursor.parse(text)
            .orElseThrow(() -> Call.bad("cursor", text, "the next of an earlier page"));
  }

  HttpResponse pause(Call call) {
    var name = name(call);
    return control(name, parts.store().pauses().pause(name, call.actor()));
  }

  HttpResponse resume(Call call) {
    var name = name(call);
    return control(name, parts.store().pauses().resume(name, call.actor()));
  }

  private static TriggerName name(Call call) {
    return new TriggerName(call.tenant(), call.path("name"), call.path("trigger"));
  }

  private HttpResponse control(TriggerName name, Optional<TriggerControl> found) {
    var control = found.orElseThrow(() -> noTrigger(name.tenant(), name.workflow(), name.name()));
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("tenant", name.tenant());
    json.put("workflow", name.workflow());
    json.put("trigger", name.name());
    json.put("paused", control.pausedAt() != null);
    json.put("paused_at", control.pausedAt());
    json.put("paused_by", control.pausedBy());
    return Answers.ok(json);
  }

  private Trigger trigger(String tenant, String workflow, String name) {
    return reads()
        .trigger(tenant, workflow, name)
        .orElseThrow(() -> noTrigger(tenant, workflow, name));
  }

  private void requireTrigger(String tenant, String workflow, @Nullable String trigger) {
    if (trigger == null) {
      requireWorkflow(tenant, workflow);
    } else {
      trigger(tenant, workflow, trigger);
    }
  }

  private void requireWorkflow(String tenant, String workflow) {
    if (parts.store().reads().workflowBytes(tenant, workflow, null) == 0) {
      throw new Refused(Problem.notFound("workflow", workflow));
    }
  }

  private Refused noTrigger(String tenant, String workflow, String name) {
    requireWorkflow(tenant, workflow);
    var names =
        reads().triggers(tenant, workflow, new Page.Window(null, NAMED_MAX)).items().stream()
            .filter(trigger -> !trigger.kind().equals(ScheduleView.EXPECT_BY))
            .map(trigger -> "'" + trigger.name().name() + "'")
            .collect(Collectors.joining(", "));
    return new Refused(
        HttpStatus.NOT_FOUND,
        "The workflow %s has no trigger '%s'%s."
            .formatted(workflow, name, names.isEmpty() ? "; it has none" : "; it has " + names));
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
