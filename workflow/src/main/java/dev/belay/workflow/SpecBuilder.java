package dev.belay.workflow;

import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Value.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts the values of a file into a spec, or reports why it cannot. Use once. */
final class SpecBuilder {

  private static final String SINGLE_TASK_NAME = "task";
  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-z0-9_-]");

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
    if (WrittenSize.of(file) > WrittenSize.CHARS_MAX) {
      problems.add(
          file.keyAt("defaults"),
          "with all aliases and defaults written out, the workflow has more than %,d characters; shorten what is repeated, or split the workflow"
              .formatted(WrittenSize.CHARS_MAX));
      return null;
    }
    boolean single = file.has("task");
    checkTop(single);
    List<Fields> tasks = tasks(single);
    ParamsReader params = new ParamsReader(file.find("params", Fields.class), problems);
    Map<String, ParamSpec> specs = params.read();
    ExpressionChecker expressions = params.expressions();
    new WorkflowChecks(problems, expressions, expressions::checkText).check(tasks, single);
    String written = file.text("name");
    String name = written == null && single ? nameOfFile() : written;
    List<TriggerSpec> triggers =
        new TriggersReader(
                problems,
                expressions,
                new TriggerParams(problems, expressions, specs, params.names()),
                name)
            .read(file.find("triggers", Value.Items.class));
    RunLimits limits = limits();
    if (!problems.isEmpty() || name == null) {
      return null;
    }
    return new WorkflowSpec(
        file.or("tenant", WorkflowSpec.DEFAULT_TENANT),
        name,
        file.text("description"),
        specs,
        triggers,
        limits,
        tasks.stream().map(SpecBuilder::task).toList());
  }

  private RunLimits limits() {
    Fields run = file.find("run", Fields.class);
    if (run == null) {
      return RunLimits.NONE;
    }
    if (run.has("overlap") && !run.has("max_active")) {
      problems.add(
          run.keyAt("overlap"),
          "'overlap' needs 'max_active', because it decides what happens when that many runs are"
              + " active; add max_active: 1");
    }
    String overlap = run.text("overlap");
    return new RunLimits(
        run.orNull("max_active"),
        run.orNull("max_tasks"),
        overlap == null ? RunLimits.NONE.overlap() : RunLimits.Overlap.valueOf(constant(overlap)),
        run.orNull("timeout"),
        run.orNull("deadline"),
        run.orNull("expect_by"));
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

  /** The readable tasks, merged with the defaults. */
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
    return nameFor(nameFor(stem).replaceFirst("^[_-]+", ""));
  }

  /** Reduces the text to the characters that names may have. */
  static String nameFor(String text) {
    String name = NOT_IN_NAMES.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("-");
    return name.isEmpty()
        ? SINGLE_TASK_NAME
        : name.substring(0, Math.min(name.length(), Keys.NAME_CHARS_MAX));
  }

  private static TaskSpec task(Fields task) {
    boolean works = !task.has("wait");
    String rule = task.text("trigger_rule");
    String when = task.text("when");
    Value.Items dependsOn = task.find("depends_on", Value.Items.class);
    Map<String, Template> env = new LinkedHashMap<>();
    if (works) {
      texts(task, "env").forEach((key, text) -> env.put(key, new Template(text)));
    }
    // Defaults that are for workers do not concern a task that only waits.
    return new TaskSpec(
        task.or("name", SINGLE_TASK_NAME),
        action(task),
        dependsOn == null ? List.of() : dependsOn.texts().stream().map(Value.Text::text).toList(),
        rule == null ? TriggerRule.ALL_SUCCESS : TriggerRule.valueOf(constant(rule)),
        when == null ? null : new Template(when),
        env,
        works ? policy(task) : RunPolicy.DEFAULT,
        works ? task.or("priority", TaskSpec.PRIORITY_DEFAULT) : TaskSpec.PRIORITY_DEFAULT,
        works ? QueueKeys.spec(task) : QueueSpec.DEFAULT,
        texts(task, "labels"),
        task.orNull("deadline"));
  }

  private static Action action(Fields task) {
    String script = task.text("script");
    if (script != null) {
      return new Action.Script(script);
    }
    Fields wait = task.find("wait", Fields.class);
    if (wait != null) {
      String until = wait.text("until");
      return new Action.Wait(wait.orNull("for"), until == null ? null : new Template(until));
    }
    Value.Items command = Objects.requireNonNull(task.find("command", Value.Items.class));
    return new Action.Command(
        command.texts().stream().map(text -> new Template(text.text())).toList());
  }

  static RunPolicy policy(Fields task) {
    Fields retry = task.find("retry", Fields.class);
    return new RunPolicy(
        retry == null ? RetryPolicy.DEFAULT : retry(retry),
        exitCodes(texts(task, "exit_codes")),
        task.orNull("execution_timeout"),
        workerLoss(task),
        new RunPolicy.Stopping(task.orNull("stall_timeout"), task.orNull("stop_grace")));
  }

  private static Map<Integer, RunPolicy.ExitMeaning> exitCodes(Map<String, String> written) {
    if (written.isEmpty()) {
      return RunPolicy.EXIT_CODES_DEFAULT;
    }
    Map<Integer, RunPolicy.ExitMeaning> codes = new LinkedHashMap<>(RunPolicy.EXIT_CODES_DEFAULT);
    written.forEach(
        (code, meaning) ->
            codes.put(Integer.valueOf(code), RunPolicy.ExitMeaning.valueOf(constant(meaning))));
    return codes;
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
    String onlyIf = retry.text("if");
    return new RetryPolicy(
        retry.or("max", RetryPolicy.DEFAULT.max()),
        backoff == null ? RetryPolicy.Backoff.DEFAULT : backoff(backoff),
        maxOn(on, "lost", RetryPolicy.LOST_MAX_DEFAULT),
        maxOn(on, "crash", RetryPolicy.CRASH_MAX_DEFAULT),
        maxOn(on, "unavailable", RetryPolicy.UNAVAILABLE_MAX_DEFAULT),
        onlyIf == null ? null : new Template(onlyIf));
  }

  private static int maxOn(@Nullable Fields on, String reason, int otherwise) {
    Fields found = on == null ? null : on.find(reason, Fields.class);
    return found == null ? otherwise : found.or("max", otherwise);
  }

  private static RetryPolicy.Backoff backoff(Fields backoff) {
    RetryPolicy.Backoff otherwise = RetryPolicy.Backoff.DEFAULT;
    return new RetryPolicy.Backoff(
        backoff.or("initial", otherwise.initial()),
        backoff.or("factor", otherwise.factor()),
        backoff.or("max", otherwise.max()),
        backoff.or("jitter", otherwise.jitter()));
  }

  static Map<String, String> texts(Fields fields, String key) {
    Fields found = fields.find(key, Fields.class);
    if (found == null) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    found.values().forEach((name, value) -> texts.put(name, ((Value.Text) value).text()));
    return texts;
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
