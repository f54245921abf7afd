package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.steer.RunRetry;
import dev.belay.settings.RequestGroup;
import dev.belay.store.intake.NewRun;
import dev.belay.store.intake.Triggered;
import dev.belay.store.read.RunFilter;
import dev.belay.workflow.Params;
import dev.belay.workflow.SpecCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs: trigger, read, cancel, retry. */
final class RunHandlers {

  private final RestDependencies parts;
  private final Waiting waiting;

  RunHandlers(RestDependencies parts, Waiting waiting) {
    this.parts = parts;
    this.waiting = waiting;
  }

  HttpResponse trigger(Call call) {
    var workflow = call.path("name");
    var tenant = call.tenant();
    var bytes = call.jsonBody();
    var asked = parts.checking().call(call, bytes.length, () -> Trigger.of(call, bytes));
    var version = asked.version();
    call.needs(Memory.COPIES * parts.store().reads().workflowBytes(tenant, workflow, version));
    var wanted =
        new NewRun(
            tenant,
            workflow,
            version,
            asked.logicalDate(),
            asked.key(),
            facts -> resolve(call, facts, asked.params(), bytes.length));
    return switch (parts.store().runs().trigger(wanted, call.actor())) {
      case Triggered.Accepted(var id) -> Answers.json(HttpStatus.CREATED, accepted(id));
      case Triggered.NoWorkflow _ ->
          throw new Refused(
              HttpStatus.NOT_FOUND,
              "There is no workflow "
                  + workflow
                  + (version == null ? "" : " with version " + version)
                  + " in tenant "
                  + tenant
                  + ".");
      case Triggered.Deleted _ ->
          throw new Refused(
              Problem.of(
                      HttpStatus.CONFLICT,
                      "The workflow "
                          + workflow
                          + " in tenant "
                          + tenant
                          + " is deleted; nothing was started. `belay apply` or `belay register`"
                          + " with its file brings it back.")
                  .ofType("workflow-deleted"));
      case Triggered.Refused(var problems) ->
          throw unprocessable(
              "The parameters do not fit the workflow; nothing was started.",
              problems.stream().map(problem -> Problem.fault("params", problem)).toList());
      case Triggered.Limited(var limit) ->
          throw TenantLimits.refused(limit, parts.host().metrics());
      case Triggered.KeyConflict(var key) -> throw TaskHandlers.keyConflict(List.of(key));
    };
  }

  HttpResponse list(Call call) {
    var filter =
        new RunFilter(call.tenant(), call.words("state", RunState.class), call.text("workflow"));
    return Answers.page(
        parts
            .store()
            .reads()
            .runs(filter, call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse find(Call call) {
    var id = call.id("run");
    var reads = parts.store().reads();
    waiting.until(
        call,
        call.wait(parts.settings().of(RequestGroup.WAIT_MAX)),
        () -> reads.runState(id),
        state -> state.isEmpty() || state.get().isTerminal());
    call.needs(Memory.COPIES * reads.runBytes(id));
    var run = reads.run(id).orElseThrow(() -> missing(id));
    var answer = JsonText.object(run);
    answer.set("task_counts", JsonText.object(reads.taskCounts(id)));
    answer.putPOJO("waiting", Waits.of(run, parts.store().waits()));
    answer.putPOJO("waiting_tasks", Waits.ofTasks(run, parts.store().waits()));
    return Answers.ok(answer);
  }

  HttpResponse history(Call call) {
    var id = call.id("run");
    var reads = parts.store().reads();
    if (reads.runState(id).isEmpty()) {
      throw missing(id);
    }
    return Answers.items(reads.runHistory(id));
  }

  HttpResponse cancel(Call call) {
    var id = call.id("run");
    return Cancels.answer(id, parts.store().steering().cancelRun(new RunId(id), call.actor()));
  }

  HttpResponse retry(Call call) {
    var id = call.id("run");
    return switch (parts.store().steering().retryRun(new RunId(id), call.actor())) {
      case RunRetry.Done(var tasks) ->
          Answers.json(HttpStatus.ACCEPTED, Map.of("id", id, "answer", "retrying", "tasks", tasks));
      case RunRetry.Refused(var state) -> throw notRetried(id, state);
      case RunRetry.NotFound _ -> throw missing(id);
    };
  }

  private static Refused notRetried(UUID id, RunState state) {
    return new Refused(
        HttpStatus.CONFLICT,
        "The run "
            + id
            + " is "
            + state
            + (state.isTerminal()
                ? ". There is nothing to retry."
                : ". Only a run that ended FAILED or CANCELLED can be retried; perhaps somebody"
                    + " else has retried it."));
  }

  /** Computed defaults may use the whole time limit of expressions: not where submits run. */
  NewRun.Params resolve(
      Call call, NewRun.Facts facts, Map<String, @Nullable Object> given, int bytes) {
    var size = bytes + facts.spec().length();
    var spec = parts.checking().call(call, size, () -> SpecCodec.fromJson(facts.spec()));
    return Params.computes(spec, given)
        ? parts.checking().callApart(call, () -> resolve(spec, facts, given))
        : parts.checking().call(call, size, () -> resolve(spec, facts, given));
  }

  private NewRun.Params resolve(
      WorkflowSpec spec, NewRun.Facts facts, Map<String, @Nullable Object> given) {
    var run = new LinkedHashMap<String, Object>();
    run.put("id", facts.id().toString());
    run.put("workflow", facts.workflow());
    run.put("tenant", facts.tenant());
    run.put("logical_date", facts.logicalDate().toString());
    run.put("created_at", facts.createdAt().toString());
    return switch (Params.resolve(spec, given, run, parts.expressions())) {
      case Params.Resolved(var values) ->
          JsonText.isStorable(JsonText.text(values))
              ? new NewRun.Params.Resolved(JsonText.text(values))
              : new NewRun.Params.Refused(List.of("a default has NUL or half a character"));
      case Params.Refused(var messages) -> new NewRun.Params.Refused(messages);
    };
  }

  private static Refused unprocessable(String detail, List<Map<String, Object>> faults) {
    return new Refused(Problem.of(HttpStatus.UNPROCESSABLE_ENTITY, detail).withErrors(faults));
  }

  private static Map<String, Object> accepted(UUID id) {
    var answer = new LinkedHashMap<String, Object>();
    answer.put("id", id);
    answer.put("state", RunState.QUEUED);
    return answer;
  }

  private Refused missing(UUID id) {
    return Missing.run(parts.store().reads(), id);
  }
}
