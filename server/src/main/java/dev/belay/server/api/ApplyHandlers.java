package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.settings.JsonGroup;
import dev.belay.settings.RequestGroup;
import dev.belay.store.apply.Applied;
import dev.belay.store.apply.Plan;
import dev.belay.workflow.FileSet;
import dev.belay.workflow.UnifiedDiff;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets of files: apply them, and show the system file. */
final class ApplyHandlers {

  private static final Logger log = LoggerFactory.getLogger(ApplyHandlers.class);

  /** A file with aliases and defaults becomes a longer spec. */
  private static final int SPEC_PER_BODY = 4;

  private final RestDependencies parts;

  ApplyHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  HttpResponse apply(Call call) {
    var body = call.jsonBody();
    var limits =
        new FileSet.Limits(
            parts.settings().of(JsonGroup.WORKFLOW_VALUES_MAX),
            SPEC_PER_BODY * parts.settings().of(RequestGroup.BODY_MAX));
    var asked = parts.checking().call(call, body.length, () -> Apply.of(body, limits));
    call.needsForSpec(
        asked.set().workflows().stream().mapToLong(each -> each.spec().length()).sum());
    var sets = parts.store().sets();
    var applied =
        asked.dryRun()
            ? sets.plan(asked.wanted())
            : sets.apply(asked.wanted(), asked.plan(), call.actor());
    return switch (applied) {
      case Applied.Done done -> {
        tell(call, asked, done.plan());
        yield Answers.ok(
            parts.checking().call(call, body.length, () -> new Told(asked, done).answer()));
      }
      case Applied.Refused(var faults) ->
          throw Refused.invalid(
              TriggerProblems.of(asked.set()).of(faults),
              "The triggers of the set do not fit; nothing was applied.");
      case Applied.Outdated _ ->
          throw new Refused(
              Problem.of(
                      HttpStatus.CONFLICT,
                      "The stored workflows changed since this plan was made; nothing was applied."
                          + " Look at the new plan, and apply again.")
                  .ofType("plan-outdated"));
    };
  }

  HttpResponse system() {
    var system = parts.store().reads().system();
    var answer = new LinkedHashMap<String, @Nullable Object>();
    var file = system.file();
    answer.put("source", file == null ? null : file.source());
    answer.put("applied_at", file == null ? null : file.appliedAt());
    answer.put("applied_by", file == null ? null : file.appliedBy());
    answer.put("pools", system.pools());
    answer.put("calendars", system.calendars().stream().map(ApplyHandlers::calendar).toList());
    return Answers.ok(answer);
  }

  private static Map<String, @Nullable Object> calendar(DayCalendar calendar) {
    var answer = new LinkedHashMap<String, @Nullable Object>();
    answer.put("name", calendar.name());
    answer.put("description", calendar.description());
    answer.put(
        "weekdays",
        calendar.weekdays().stream()
            .sorted()
            .map(day -> day.getDisplayName(TextStyle.SHORT, Locale.ROOT).toLowerCase(Locale.ROOT))
            .toList());
    answer.put(
        "dates",
        calendar.dates().stream()
            .map(
                range ->
                    range.from().equals(range.to())
                        ? range.from().toString()
                        : range.from() + ".." + range.to())
            .toList());
    return answer;
  }

  private static void tell(Call call, Apply asked, Plan plan) {
    if (!asked.dryRun() && plan.changes()) {
      log.atInfo()
          .addKeyValue("actor", call.actor())
          .addKeyValue("files", asked.set().workflows().size())
          .addKeyValue(
              "changes", plan.steps().stream().filter(step -> step.action().changes()).count())
          .log("set applied");
    }
  }

  /** The plan as the caller sees it. */
  private record Told(Apply asked, Applied.Done done) {

    Map<String, Object> answer() {
      var plan = done.plan();
      var counts = new LinkedHashMap<String, Integer>();
      for (var action : Plan.Action.values()) {
        counts.put(word(action), 0);
      }
      var items = items(plan);
      items.forEach(item -> counts.merge((String) item.get("action"), 1, Integer::sum));
      var answer = new LinkedHashMap<String, Object>();
      answer.put("dry_run", asked.dryRun());
      answer.put("changes", plan.changes());
      answer.put("plan", plan.token());
      answer.put("counts", counts);
      answer.put("items", items);
      answer.put("warnings", warnings());
      return answer;
    }

    private List<Map<String, @Nullable Object>> items(Plan plan) {
      var items = new ArrayList<Map<String, @Nullable Object>>();
      var system = plan.system();
      var file = asked.set().system();
      if (system != null && file != null) {
        items.add(
            item(
                system.action(),
                new Thing("system", null, "system", null),
                file.source(),
                diff("system file", system.before(), file.source())));
      }
      var sources = new HashMap<List<String>, FileSet.Source>();
      asked
          .set()
          .workflows()
          .forEach(each -> sources.put(List.of(each.tenant(), each.name()), each.source()));
      for (var step : plan.steps()) {
        var source = sources.get(List.of(step.tenant(), step.name()));
        items.add(
            item(
                step.action(),
                new Thing("workflow", step.tenant(), step.name(), step.version()),
                source,
                source == null
                    ? null
                    : diff(step.name() + " version " + step.earlier(), step.before(), source)));
      }
      return items;
    }

    private record Thing(
        String kind, @Nullable String tenant, String name, @Nullable Integer version) {}

    private static Map<String, @Nullable Object> item(
        Plan.Action action, Thing thing, FileSet.@Nullable Source source, @Nullable String diff) {
      var item = new LinkedHashMap<String, @Nullable Object>();
      item.put("action", word(action));
      item.put("kind", thing.kind());
      item.put("tenant", thing.tenant());
      item.put("name", thing.name());
      item.put("version", thing.version());
      item.put("file", source == null ? null : source.file());
      item.put("diff", diff);
      return item;
    }

    private static @Nullable String diff(
        String earlier, @Nullable String before, FileSet.Source after) {
      return before == null
          ? null
          : UnifiedDiff.of(earlier, after.file(), before, after.text()).orElse(null);
    }

    private List<Map<String, Object>> warnings() {
      return Stream.concat(
              unserved(), TriggerProblems.of(asked.set()).warnings(done.missing()).stream())
          .limit(FileSet.PROBLEMS_MAX)
          .map(Problem::fault)
          .toList();
    }

    /** Pools and topics that nobody serves: perhaps a typing error. */
    private Stream<dev.belay.workflow.Problem> unserved() {
      return asked.set().workflows().stream()
          .flatMap(
              workflow ->
                  RouteProblems.of(workflow.source().file(), workflow.routes(), done.known()));
    }

    private static String word(Plan.Action action) {
      return action.name().toLowerCase(Locale.ROOT);
    }
  }
}
