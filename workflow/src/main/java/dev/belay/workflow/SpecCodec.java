package dev.belay.workflow;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of specs, exact both ways. It omits defaults, because there are many texts and
 * most tasks have defaults. It ignores unknown fields, so an older server reads specs of a newer
 * one.
 */
public final class SpecCodec {

  private SpecCodec() {}

  public static String toJson(WorkflowSpec spec) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("tenant", spec.tenant());
    json.put("name", spec.name());
    if (spec.description() != null) {
      json.put("description", spec.description());
    }
    if (!spec.params().isEmpty()) {
      Map<String, Object> params = new LinkedHashMap<>();
      spec.params().forEach((name, param) -> params.put(name, param(param)));
      json.put("params", params);
    }
    if (!spec.triggers().isEmpty()) {
      json.put("triggers", spec.triggers().stream().map(TriggerCodec::trigger).toList());
    }
    if (!spec.run().equals(RunLimits.NONE)) {
      json.put("run", TriggerCodec.limits(spec.run()));
    }
    json.put("tasks", spec.tasks().stream().map(SpecCodec::task).toList());
    return Json.write(json);
  }

  /** Throws IllegalArgumentException when the text was not written by {@link #toJson}. */
  public static WorkflowSpec fromJson(String json) {
    JsonFields fields = read(json);
    Map<String, ParamSpec> params = new LinkedHashMap<>();
    fields.fields("params").each((name, param) -> params.put(name, param(JsonFields.of(param))));
    return new WorkflowSpec(
        fields.text("tenant"),
        fields.text("name"),
        fields.textOrNull("description"),
        params,
        fields.list("triggers").stream()
            .map(trigger -> TriggerCodec.trigger(JsonFields.of(trigger)))
            .toList(),
        TriggerCodec.limits(fields.fields("run")),
        fields.list("tasks").stream().map(task -> task(JsonFields.of(task))).toList());
  }

  /** A trigger as {@link #toJson} has it. */
  public static String triggerToJson(TriggerSpec trigger) {
    return Json.write(TriggerCodec.trigger(trigger));
  }

  /** Throws IllegalArgumentException when the text was not written by {@link #triggerToJson}. */
  public static TriggerSpec triggerFromJson(String json) {
    return TriggerCodec.trigger(read(json));
  }

  public static String expectByToJson(RunLimits.ExpectBy expected) {
    return Json.write(TriggerCodec.expectBy(expected));
  }

  /** Throws IllegalArgumentException when the text was not written by {@link #expectByToJson}. */
  public static RunLimits.ExpectBy expectByFromJson(String json) {
    return TriggerCodec.expectBy(read(json));
  }

  public static String calendarToJson(DayCalendar calendar) {
    return Json.write(CalendarCodec.calendar(calendar));
  }

  /** Throws IllegalArgumentException when the text was not written by {@link #calendarToJson}. */
  public static DayCalendar calendarFromJson(String name, String json) {
    return CalendarCodec.calendar(name, read(json));
  }

  public static String workToJson(Work work) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (work.script() == null) {
      json.put("argv", work.argv());
    } else {
      json.put("script", work.script());
    }
    if (!work.env().isEmpty()) {
      json.put("env", work.env());
    }
    policy(work.policy(), json);
    return Json.write(json);
  }

  /** What people see as the work of a task that only waits. No worker reads it. */
  public static String waitToJson(DueTime timer) {
    Duration after = timer.after();
    return Json.write(
        Map.of(
            "wait",
            after == null
                ? Map.of("until", String.valueOf(timer.at()))
                : Map.of("for", Durations.format(after))));
  }

  /** Throws IllegalArgumentException when the text was not written by {@link #workToJson}. */
  public static Work workFromJson(String json) {
    JsonFields fields = read(json);
    return new Work(
        fields.texts("argv"), fields.textOrNull("script"), fields.textMap("env"), policy(fields));
  }

  private static JsonFields read(String json) {
    try {
      return JsonFields.of(Json.read(json));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a stored spec", e);
    }
  }

  private static Map<String, Object> param(ParamSpec param) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("type", param.type().name());
    switch (param.defaultValue()) {
      case null -> {}
      case Template template -> json.put("template", template.text());
      case Object value -> json.put("default", value);
    }
    if (!param.values().isEmpty()) {
      json.put("values", param.values());
    }
    return json;
  }

  private static ParamSpec param(JsonFields json) {
    String template = json.textOrNull("template");
    return new ParamSpec(
        ParamSpec.Type.valueOf(json.text("type")),
        template == null ? json.value("default") : new Template(template),
        json.texts("values"));
  }

  private static Map<String, Object> task(TaskSpec task) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", task.name());
    switch (task.action()) {
      case Action.Command command ->
          json.put("command", command.argv().stream().map(Template::text).toList());
      case Action.Script script -> json.put("script", script.text());
      case Action.Wait wait -> json.put("wait", wait(wait));
    }
    if (!task.dependsOn().isEmpty()) {
      json.put("depends_on", task.dependsOn());
    }
    if (task.triggerRule() != TriggerRule.ALL_SUCCESS) {
      json.put("trigger_rule", task.triggerRule().name());
    }
    if (task.when() != null) {
      json.put("when", task.when().text());
    }
    if (!task.env().isEmpty()) {
      Map<String, Object> env = new LinkedHashMap<>();
      task.env().forEach((name, template) -> env.put(name, template.text()));
      json.put("env", env);
    }
    policy(task.policy(), json);
    if (task.priority() != TaskSpec.PRIORITY_DEFAULT) {
      json.put("priority", task.priority());
    }
    QueueSpecCodec.write(task.queue(), json);
    if (!task.labels().isEmpty()) {
      json.put("labels", task.labels());
    }
    if (task.deadline() != null) {
      json.put("deadline", task.deadline().toString());
    }
    return json;
  }

  private static Map<String, Object> wait(Action.Wait wait) {
    return wait.until() == null
        ? Map.of("for", String.valueOf(wait.span()))
        : Map.of("until", wait.until().text());
  }

  private static Action action(JsonFields json) {
    if (json.has("wait")) {
      JsonFields wait = json.fields("wait");
      String until = wait.textOrNull("until");
      return new Action.Wait(spanOrNull(wait, "for"), until == null ? null : new Template(until));
    }
    String script = json.textOrNull("script");
    return script == null
        ? new Action.Command(json.texts("command").stream().map(Template::new).toList())
        : new Action.Script(script);
  }

  private static TaskSpec task(JsonFields json) {
    String when = json.textOrNull("when");
    Map<String, Template> env = new LinkedHashMap<>();
    json.textMap("env").forEach((name, text) -> env.put(name, new Template(text)));
    return new TaskSpec(
        json.text("name"),
        action(json),
        json.texts("depends_on"),
        TriggerRule.valueOf(json.textOr("trigger_rule", TriggerRule.ALL_SUCCESS.name())),
        when == null ? null : new Template(when),
        env,
        policy(json),
        json.wholeOr("priority", TaskSpec.PRIORITY_DEFAULT),
        QueueSpecCodec.read(json),
        json.textMap("labels"),
        spanOrNull(json, "deadline"));
  }

  private static void policy(RunPolicy policy, Map<String, Object> json) {
    if (!policy.retry().equals(RetryPolicy.DEFAULT)) {
      json.put("retry", retry(policy.retry()));
    }
    if (!policy.exitCodes().equals(RunPolicy.EXIT_CODES_DEFAULT)) {
      Map<String, Object> codes = new LinkedHashMap<>();
      policy.exitCodes().forEach((code, meaning) -> codes.put(code.toString(), meaning.name()));
      json.put("exit_codes", codes);
    }
    if (policy.executionTimeout() != null) {
      json.put("execution_timeout", policy.executionTimeout().toString());
    }
    if (policy.stopping().stallTimeout() != null) {
      json.put("stall_timeout", policy.stopping().stallTimeout().toString());
    }
    if (policy.stopping().stopGrace() != null) {
      json.put("stop_grace", policy.stopping().stopGrace().toString());
    }
    RunPolicy.WorkerLoss loss = policy.workerLoss();
    if (loss.then() != RunPolicy.WorkerLoss.DEFAULT.then()) {
      json.put("on_worker_lost", loss.then().name());
    }
    if (loss.fencing() != RunPolicy.WorkerLoss.DEFAULT.fencing()) {
      json.put("fencing", loss.fencing().name());
    }
  }

  private static RunPolicy policy(JsonFields json) {
    Map<Integer, RunPolicy.ExitMeaning> codes = new LinkedHashMap<>();
    json.textMap("exit_codes")
        .forEach(
            (code, meaning) ->
                codes.put(Integer.valueOf(code), RunPolicy.ExitMeaning.valueOf(meaning)));
    return new RunPolicy(
        json.has("retry") ? retry(json.fields("retry")) : RetryPolicy.DEFAULT,
        json.has("exit_codes") ? codes : RunPolicy.EXIT_CODES_DEFAULT,
        spanOrNull(json, "execution_timeout"),
        workerLoss(json),
        new RunPolicy.Stopping(spanOrNull(json, "stall_timeout"), spanOrNull(json, "stop_grace")));
  }

  private static RunPolicy.WorkerLoss workerLoss(JsonFields json) {
    RunPolicy.WorkerLoss otherwise = RunPolicy.WorkerLoss.DEFAULT;
    return new RunPolicy.WorkerLoss(
        RunPolicy.OnWorkerLost.valueOf(json.textOr("on_worker_lost", otherwise.then().name())),
        RunPolicy.Fencing.valueOf(json.textOr("fencing", otherwise.fencing().name())));
  }

  private static @Nullable Duration spanOrNull(JsonFields json, String name) {
    String text = json.textOrNull(name);
    return text == null ? null : Duration.parse(text);
  }

  private static Map<String, Object> retry(RetryPolicy retry) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("max", retry.max());
    json.put("lost_max", retry.lostMax());
    if (retry.crashMax() != RetryPolicy.CRASH_MAX_DEFAULT) {
      json.put("crash_max", retry.crashMax());
    }
    if (retry.unavailableMax() != RetryPolicy.UNAVAILABLE_MAX_DEFAULT) {
      json.put("unavailable_max", retry.unavailableMax());
    }
    if (retry.onlyIf() != null) {
      json.put("if", retry.onlyIf().text());
    }
    if (!retry.backoff().equals(RetryPolicy.Backoff.DEFAULT)) {
      RetryPolicy.Backoff backoff = retry.backoff();
      json.put("initial", backoff.initial().toString());
      json.put("factor", backoff.factor());
      json.put("backoff_max", backoff.max().toString());
      json.put("jitter", backoff.jitter());
    }
    return json;
  }

  private static RetryPolicy retry(JsonFields json) {
    String initial = json.textOrNull("initial");
    String onlyIf = json.textOrNull("if");
    RetryPolicy.Backoff backoff =
        initial == null
            ? RetryPolicy.Backoff.DEFAULT
            : new RetryPolicy.Backoff(
                Duration.parse(initial),
                json.decimal("factor"),
                Duration.parse(json.text("backoff_max")),
                json.flag("jitter"));
    return new RetryPolicy(
        json.whole("max"),
        backoff,
        json.whole("lost_max"),
        json.wholeOr("crash_max", RetryPolicy.CRASH_MAX_DEFAULT),
        json.wholeOr("unavailable_max", RetryPolicy.UNAVAILABLE_MAX_DEFAULT),
        onlyIf == null ? null : new Template(onlyIf));
  }
}
