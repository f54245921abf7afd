package dev.belay.workflow;

import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Value.Fields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the values of a file into a spec, or only reports why it cannot. Used once. */
final class SpecBuilder {

  private static final String SINGLE_TASK_NAME = "task";

  private final String fileName;
  private final Fields file;
  private final Problems problems;

  SpecBuilder(String fileName, Fields file, Problems problems) {
    this.fileName = fileName;
    this.file = file;
    this.problems = problems;
  }

  /** The spec; null when there are problems. */
  @Nullable WorkflowSpec build() {
    boolean single = file.has("task");
    checkTop(single);
    List<Fields> tasks = tasks(single);
    ParamsReader params = new ParamsReader(file.find("params", Fields.class), problems);
    Map<String, ParamSpec> specs = params.read();
    new WorkflowChecks(problems, params.expressions()).check(tasks, single);
    if (!problems.isEmpty()) {
      return null;
    }
    String name = file.text("name");
    String tenant = file.text("tenant");
    return new WorkflowSpec(
        tenant == null ? WorkflowSpec.DEFAULT_TENANT : tenant,
        name == null ? nameOfFile() : name,
        file.text("description"),
        specs,
        limits(),
        tasks.stream().map(SpecBuilder::task).toList());
  }

  private RunLimits limits() {
    Fields run = file.find("run", Fields.class);
    Value.Whole maxActive = run == null ? null : run.find("max_active", Value.Whole.class);
    return maxActive == null ? RunLimits.NONE : new RunLimits(maxActive.number());
  }

  private void checkTop(boolean single) {
    if (single && file.has("tasks")) {
      problems.add(
          file.keyAt("task"), "a workflow has either 'tasks' or 'task', not both; remove one");
    }
    if (!single && !file.has("tasks")) {
      problems.add(file.node().at(), "a workflow needs 'tasks', a list, or 'task', a single one");
    }
    if (!single && !file.has("name")) {
      problems.add(
          file.node().at(),
          "'name' is missing in a workflow; it must be " + Shape.Rule.NAME.expected);
    }
  }

  /** The tasks that could be read, defaults merged in. */
  private List<Fields> tasks(boolean single) {
    List<Value> written = new ArrayList<>();
    Value.Items several = file.find("tasks", Value.Items.class);
    if (several != null) {
      written.addAll(several.items());
    }
    Value one = single ? file.find("task", Fields.class) : null;
    if (one != null) {
      written.add(one);
    }
    Fields defaults = file.find("defaults", Fields.class);
    return written.stream()
        .map(Fields.class::cast)
        .map(task -> defaults == null ? task : task.over(defaults))
        .toList();
  }

  private String nameOfFile() {
    String base = fileName.substring(fileName.lastIndexOf('/') + 1);
    String stem = base.contains(".") ? base.substring(0, base.indexOf('.')) : base;
    String name =
        stem.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "-").replaceFirst("^[_-]+", "");
    String cut = name.substring(0, Math.min(name.length(), Keys.NAME_CHARS_MAX));
    return cut.isEmpty() ? SINGLE_TASK_NAME : cut;
  }

  private static TaskSpec task(Fields task) {
    String name = task.text("name");
    String rule = task.text("trigger_rule");
    String when = task.text("when");
    String pool = task.text("pool");
    Value.Items dependsOn = task.find("depends_on", Value.Items.class);
    Value.Whole priority = task.find("priority", Value.Whole.class);
    Map<String, Template> env = new LinkedHashMap<>();
    texts(task, "env").forEach((key, text) -> env.put(key, new Template(text)));
    return new TaskSpec(
        name == null ? SINGLE_TASK_NAME : name,
        action(task),
        dependsOn == null ? List.of() : dependsOn.texts().stream().map(Value.Text::text).toList(),
        rule == null ? TriggerRule.ALL_SUCCESS : TriggerRule.valueOf(constant(rule)),
        when == null ? null : new Template(when),
        env,
        policy(task),
        priority == null ? TaskSpec.PRIORITY_DEFAULT : priority.number(),
        pool == null ? TaskSpec.POOL_DEFAULT : pool,
        texts(task, "labels"),
        span(task, "deadline", null));
  }

  private static Action action(Fields task) {
    String script = task.text("script");
    if (script != null) {
      return new Action.Script(script);
    }
    Value.Items command = Objects.requireNonNull(task.find("command", Value.Items.class));
    return new Action.Command(
        command.texts().stream().map(text -> new Template(text.text())).toList());
  }

  private static RunPolicy policy(Fields task) {
    Map<Integer, RunPolicy.ExitMeaning> exitCodes =
        new LinkedHashMap<>(RunPolicy.EXIT_CODES_DEFAULT);
    texts(task, "exit_codes")
        .forEach(
            (code, meaning) ->
                exitCodes.put(
                    Integer.valueOf(code), RunPolicy.ExitMeaning.valueOf(constant(meaning))));
    Fields retry = task.find("retry", Fields.class);
    return new RunPolicy(
        retry == null ? RetryPolicy.DEFAULT : retry(retry),
        exitCodes,
        span(task, "execution_timeout", null),
        workerLoss(task));
  }

  private static RunPolicy.WorkerLoss workerLoss(Fields task) {
    RunPolicy.WorkerLoss otherwise = RunPolicy.WorkerLoss.DEFAULT;
    String then = task.text("on_worker_lost");
    String fencing = task.text("fencing");
    return new RunPolicy.WorkerLoss(
        then == null ? otherwise.then() : RunPolicy.OnWorkerLost.valueOf(constant(then)),
        fencing == null ? otherwise.fencing() : RunPolicy.Fencing.valueOf(constant(fencing)));
  }

  private static RetryPolicy retry(Fields retry) {
    Fields backoff = retry.find("backoff", Fields.class);
    Fields on = retry.find("on", Fields.class);
    return new RetryPolicy(
        whole(retry, "max", RetryPolicy.DEFAULT.max()),
        backoff == null ? RetryPolicy.Backoff.DEFAULT : backoff(backoff),
        maxOn(on, "lost", RetryPolicy.LOST_MAX_DEFAULT),
        maxOn(on, "crash", RetryPolicy.CRASH_MAX_DEFAULT));
  }

  private static int maxOn(@Nullable Fields on, String reason, int otherwise) {
    Fields found = on == null ? null : on.find(reason, Fields.class);
    return found == null ? otherwise : whole(found, "max", otherwise);
  }

  private static RetryPolicy.Backoff backoff(Fields backoff) {
    RetryPolicy.Backoff otherwise = RetryPolicy.Backoff.DEFAULT;
    Value.Decimal factor = backoff.find("factor", Value.Decimal.class);
    Value.Flag jitter = backoff.find("jitter", Value.Flag.class);
    return new RetryPolicy.Backoff(
        Objects.requireNonNull(span(backoff, "initial", otherwise.initial())),
        factor == null ? otherwise.factor() : factor.number(),
        Objects.requireNonNull(span(backoff, "max", otherwise.max())),
        jitter == null ? otherwise.jitter() : jitter.set());
  }

  private static int whole(Fields fields, String key, int otherwise) {
    Value.Whole found = fields.find(key, Value.Whole.class);
    return found == null ? otherwise : found.number();
  }

  private static @Nullable Duration span(Fields fields, String key, @Nullable Duration otherwise) {
    Value.Span found = fields.find(key, Value.Span.class);
    return found == null ? otherwise : found.duration();
  }

  private static Map<String, String> texts(Fields fields, String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    Fields found = fields.find(key, Fields.class);
    if (found != null) {
      found.values().forEach((name, value) -> texts.put(name, ((Value.Text) value).text()));
    }
    return texts;
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
