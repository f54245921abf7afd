package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.statement.BackfillStatements.NewBackfill;
import dev.belay.engine.statement.BackfillStatements.Rules;
import dev.belay.engine.statement.BackfillStatements.Schedule;
import dev.belay.engine.steer.BackfillSteer;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.ScheduleGroup;
import dev.belay.store.intake.BackfillIntake;
import dev.belay.store.intake.BackfillIntake.Started;
import dev.belay.store.intake.NewRun;
import dev.belay.store.read.Backfill;
import dev.belay.workflow.Problems;
import dev.belay.workflow.SpecCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Backfills: start, read, pause, resume, cancel. */
final class BackfillHandlers {

  private final RestDependencies parts;
  private final RunHandlers runs;
  private final Waiting waiting;
  private final int instantsMax;

  BackfillHandlers(RestDependencies parts, RunHandlers runs, Waiting waiting) {
    this.parts = parts;
    this.instantsMax = parts.settings().of(ScheduleGroup.BACKFILL_INSTANTS_MAX);
    this.runs = runs;
    this.waiting = waiting;
  }

  private BackfillIntake intake() {
    return parts.store().backfilling().intake();
  }

  HttpResponse start(Call call) {
    var workflow = call.path("name");
    var tenant = call.tenant();
    var bytes = call.jsonBody();
    var body = parts.checking().call(call, bytes.length, () -> BackfillBody.of(call, bytes));
    var key = body.key();
    if (key != null && body.dryRun() == null) {
      var earlier = intake().earlier(key);
      if (earlier.isPresent()) {
        return answered(earlier.get(), workflow);
      }
    }
    call.needs(Memory.COPIES * parts.store().reads().workflowBytes(tenant, workflow, null));
    var target =
        intake()
            .find(tenant, workflow)
            .orElseThrow(() -> new Refused(Problem.notFound("workflow", workflow)));
    if (target.deleted()) {
      throw deleted(workflow);
    }
    var calendars = parts.store().backfilling().schedules().readCalendars();
    var id = parts.store().backfilling().ids().next();
    var plan =
        parts
            .checking()
            .callApart(
                call,
                () -> {
                  var spec = SpecCodec.fromJson(target.spec());
                  return BackfillPlan.of(spec, body, calendars, target.now(), instantsMax);
                });
    // The first run stands for the others: most mistakes show there.
    var facts = new NewRun.Facts(id, tenant, workflow, target.now(), plan.first(), target.spec());
    if (runs.resolve(call, facts, new LinkedHashMap<>(plan.params()), bytes.length)
        instanceof NewRun.Params.Refused(var problems)) {
      throw new Refused(
          Problem.of(
                  HttpStatus.UNPROCESSABLE_ENTITY,
                  "The parameters do not fit the workflow; nothing was started.")
              .withErrors(
                  problems.stream().map(problem -> Problem.fault("params", problem)).toList()));
    }
    var dryRun = body.dryRun();
    if (dryRun != null) {
      return listed(tenant, workflow, plan, body.existing(), dryRun);
    }
    TriggerId trigger =
        plan.named()
            ? intake().trigger(tenant, workflow, plan.trigger().name()).orElse(null)
            : null;
    var instants = plan.instants();
    var wanted =
        new NewBackfill(
            new BackfillId(id),
            tenant,
            workflow,
            new Schedule(
                trigger,
                plan.timingJson(),
                plan.calendarJson(),
                instants.from(),
                instants.to(),
                instants.forward()),
            new Rules(body.concurrency(), body.existing(), plan.paramsJson()),
            plan.first(),
            plan.total());
    return answered(intake().start(wanted, key, call.actor()), workflow);
  }

  private HttpResponse answered(Started started, String workflow) {
    return switch (started) {
      case Started.Accepted(var id) -> Answers.json(HttpStatus.CREATED, detail(id));
      case Started.Deleted _ -> throw deleted(workflow);
      case Started.KeyConflict(var key) -> throw TaskHandlers.keyConflict(List.of(key));
    };
  }

  private static Refused deleted(String workflow) {
    return new Refused(
        Problem.of(
                HttpStatus.CONFLICT,
                "The workflow " + workflow + " is deleted; nothing was started.")
            .ofType("workflow-deleted"));
  }

  /** What would happen to each instant, in order. */
  private HttpResponse listed(
      String tenant,
      String workflow,
      BackfillPlan plan,
      Existing existing,
      BackfillBody.DryRun dryRun) {
    Instant cursor = dryRun.cursor();
    var instants = plan.instants().take(cursor == null ? plan.first() : cursor, dryRun.limit() + 1);
    boolean more = instants.size() > dryRun.limit();
    var shown = more ? instants.subList(0, dryRun.limit()) : instants;
    var found = intake().existing(tenant, workflow, shown);
    var items = new ArrayList<Map<String, @Nullable Object>>();
    for (Instant at : shown) {
      var skipped = existing.skips(found.get(at)).orElse(null);
      var item = new LinkedHashMap<String, @Nullable Object>();
      item.put("at", at);
      item.put("action", skipped == null ? "run" : "skip");
      item.put("reason", skipped);
      items.add(item);
    }
    var answer = new LinkedHashMap<String, @Nullable Object>();
    answer.put("workflow", workflow);
    answer.put("trigger", plan.trigger().name());
    answer.put("zone", plan.trigger().timing().zone().getId());
    answer.put("from", plan.instants().from());
    answer.put("to", plan.instants().to());
    answer.put("total", plan.total());
    answer.put("items", items);
    answer.put("next", more ? instants.getLast() : null);
    return Answers.ok(answer);
  }

  HttpResponse list(Call call) {
    return Answers.page(
        parts
            .store()
            .reads()
            .backfills(
                call.tenant(),
                call.text("workflow"),
                call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse find(Call call) {
    var id = call.id("backfill");
    var reads = parts.store().reads();
    waiting.until(
        call,
        call.wait(parts.settings().of(RequestGroup.WAIT_MAX)),
        () -> reads.backfill(id).map(Backfill::state),
        state -> state.isEmpty() || state.get().isTerminal());
    return Answers.ok(detail(id));
  }

  /** With the progress of its runs and what it waits for. */
  private Object detail(UUID id) {
    var reads = parts.store().reads();
    var backfill = reads.backfill(id).orElseThrow(() -> missing(id));
    var counts = reads.runCounts(id);
    var runs = new LinkedHashMap<String, Long>();
    for (RunState state : RunState.values()) {
      runs.put(state.name().toLowerCase(Locale.ROOT), counts.getOrDefault(state, 0L));
    }
    var answer = JsonText.object(backfill);
    answer.putPOJO("runs", runs);
    answer.putPOJO("waiting", waiting(backfill));
    return answer;
  }

  private static @Nullable Map<String, Object> waiting(Backfill backfill) {
    if (backfill.state().isTerminal()) {
      return null;
    }
    if (backfill.state() == BackfillState.PAUSED) {
      return wait(
          "paused", "it is " + backfill.reason() + "; `belay backfill resume` continues it");
    }
    if (backfill.workflowPaused() && backfill.open() > 0) {
      return wait("workflow_paused", "its workflow is paused; `belay resume` continues it");
    }
    if (backfill.nextInstant() == null) {
      return wait("runs", backfill.open() + " of its runs have not ended");
    }
    return backfill.open() >= backfill.concurrency()
        ? wait(
            "concurrency", backfill.open() + " of its runs have not ended, as many as may be open")
        : null;
  }

  private static Map<String, Object> wait(String reason, String detail) {
    var wait = new LinkedHashMap<String, Object>();
    wait.put("reason", reason);
    wait.put("detail", detail);
    return wait;
  }

  HttpResponse pause(Call call) {
    var id = call.id("backfill");
    return steered(
        id, parts.store().backfilling().steering().pause(new BackfillId(id), call.actor()));
  }

  HttpResponse resume(Call call) {
    var id = call.id("backfill");
    return steered(
        id, parts.store().backfilling().steering().resume(new BackfillId(id), call.actor()));
  }

  HttpResponse cancel(Call call) {
    var id = call.id("backfill");
    boolean alsoRunning = alsoRunning(call);
    return steered(
        id,
        parts
            .store()
            .backfilling()
            .steering()
            .cancel(new BackfillId(id), alsoRunning, call.actor()));
  }

  private static boolean alsoRunning(Call call) {
    var bytes = call.jsonBody();
    if (bytes.length == 0) {
      return false;
    }
    var problems = new Problems("");
    boolean runs = false;
    for (var entry : JsonText.body(bytes, problems).entries()) {
      if (entry.name().equals("runs") && entry.value().value() instanceof Boolean given) {
        runs = given;
      } else {
        problems.add(entry.at(), "the only field is runs: true also cancels its RUNNING runs");
      }
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The request is not valid; nothing changed.");
    }
    return runs;
  }

  private HttpResponse steered(UUID id, BackfillSteer answer) {
    return switch (answer) {
      case BackfillSteer.Done(var state, var asked) -> {
        var json = new LinkedHashMap<String, Object>();
        json.put("id", id);
        json.put("state", state);
        json.put("runs_cancelled", asked);
        yield Answers.ok(json);
      }
      case BackfillSteer.Refused(var state) ->
          throw new Refused(
              HttpStatus.CONFLICT, "The backfill " + id + " is " + state + "; nothing changed.");
      case BackfillSteer.NotFound _ -> throw missing(id);
    };
  }

  private static Refused missing(UUID id) {
    return new Refused(Problem.notFound("backfill", id));
  }
}
