package dev.belay.workflow;

import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.Times;
import dev.belay.workflow.Value.Fields;
import dev.belay.workflow.tree.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The rules between keys and between tasks, which a shape cannot express. */
final class WorkflowChecks {

  /** Limit of one task, so it fits into a message to a worker. */
  static final int TASK_CHARS_MAX = 500_000;

  /** Limit of all tasks together: each contains the defaults. */
  static final int TASKS_CHARS_MAX = 20_000_000;

  /** Each plan of a run reads all of them. */
  static final int DEPENDENCIES_MAX = 100_000;

  /** Prefix of the names that Belay itself sets for a task. */
  static final String OWN_ENV_PREFIX = "BELAY_";

  /** Keys that only concern the worker of a task. */
  private static final List<String> FOR_WORKERS =
      List.of(
          "env",
          "retry",
          "exit_codes",
          "execution_timeout",
          "stall_timeout",
          "stop_grace",
          "priority",
          "pool",
          "topic",
          "requires",
          "slots",
          "resources",
          "concurrency",
          "rate_limit",
          "fencing",
          "on_worker_lost");

  private static final int SUGGESTIONS_MAX = 100;

  private final Problems problems;
  private final ExpressionChecker expressions;
  private final Consumer<Value.Text> checkText;
  private int suggestions;
  private long tasksChars;

  /**
   * @param checkText checks each text that may contain expressions
   */
  WorkflowChecks(Problems problems, ExpressionChecker expressions, Consumer<Value.Text> checkText) {
    this.problems = problems;
    this.expressions = expressions;
    this.checkText = checkText;
  }

  /**
   * @param nameless whether the only task may omit its name
   */
  void check(List<Fields> tasks, boolean nameless) {
    for (Fields task : tasks) {
      if (!nameless && !task.has("name")) {
        problems.add(
            task.node().at(),
            "'name' is missing in a task; it must be " + Shape.Rule.NAME.expected);
      }
      checkTask(task);
      Value.Text when = task.find("when", Value.Text.class);
      if (when != null) {
        expressions.checkWhen(when);
      }
    }
    checkGraph(tasks);
  }

  /** The rules within one task. */
  void checkTask(Fields task) {
    checkAction(task);
    checkWeight(task);
    checkEnv(task);
    checkWait(task);
    checkStart(task);
    QueueKeys.check(task, problems, checkText);
    checkUnique(task);
    Fields retry = task.find("retry", Fields.class);
    Value.Text onlyIf = retry == null ? null : retry.find("if", Value.Text.class);
    if (onlyIf != null) {
      expressions.checkRetryIf(onlyIf);
    }
  }

  private void checkUnique(Fields task) {
    Fields unique = task.find("unique", Fields.class);
    Value.Text key = unique == null ? null : unique.find("key", Value.Text.class);
    if (key == null) {
      return;
    }
    checkText.accept(key);
    if (key.text().isBlank()) {
      problems.add(key.node().at(), "'key' is empty; write a text such as daily-report");
    }
  }

  private void checkAction(Fields task) {
    List<String> actions = new ArrayList<>(Keys.ACTIONS);
    actions.retainAll(task.written().keySet());
    if (actions.isEmpty()) {
      problems.add(
          task.node().at(),
          "a task needs 'command', 'script' or 'wait'; for example command: [echo, hello]");
    }
    if (actions.size() > 1) {
      problems.add(
          task.keyAt(actions.get(1)),
          "a task has either '%s' or '%s', not both; remove one"
              .formatted(actions.get(0), actions.get(1)));
    }
    Value.Items command = task.find("command", Value.Items.class);
    if (command != null && !command.items().isEmpty()) {
      command.texts().forEach(checkText);
      Value.Text program = command.texts().getFirst();
      if (program.text().isBlank()) {
        problems.add(program.node().at(), "the program of 'command' is empty; name one first");
      }
    }
    Value.Text script = task.find("script", Value.Text.class);
    if (script != null) {
      checkScript(script);
    }
  }

  /** A wait has one time, and nothing that is for workers. Defaults of other tasks may be there. */
  private void checkWait(Fields task) {
    Fields wait = task.find("wait", Fields.class);
    if (wait == null) {
      return;
    }
    if (wait.has("for") == wait.has("until")) {
      problems.add(
          wait.node().at(),
          "'wait' needs either 'for' or 'until'; for example {for: 10m} or {until:"
              + " \"2026-12-24T18:00:00Z\"}");
    }
    Value.Text until = wait.find("until", Value.Text.class);
    if (until != null) {
      checkText.accept(until);
      if (new Template(until.text()).isLiteral() && Times.parse(until.text()).isEmpty()) {
        problems.add(until.node().at(), ShapeReader.noTime("'until'", until.text()));
      }
    }
    if (task.node() instanceof Node.Mapping own) {
      for (Node.Entry entry : own.entries()) {
        if (FOR_WORKERS.contains(entry.name())) {
          problems.add(
              entry.at(),
              "'%s' is for tasks that run on a worker; a task with 'wait' does not: remove it"
                  .formatted(entry.name()));
        }
      }
    }
  }

  private void checkStart(Fields task) {
    if (task.values().containsKey("delay") && task.values().containsKey("run_at")) {
      problems.add(
          task.keyAt("run_at"), "a task has either 'delay' or 'run_at', not both; remove one");
    }
    for (String key : List.of("delay", "run_at")) {
      if (task.values().containsKey(key) && task.has("wait")) {
        problems.add(
            task.keyAt(key),
            "a task with 'wait' waits for one time: leave out '%s', and wait longer"
                .formatted(key));
      }
    }
  }

  private void checkScript(Value.Text script) {
    int expression = script.text().indexOf(TemplateParts.OPEN);
    if (expression >= 0) {
      problems.add(
          script.node().locate(expression),
          "a script cannot hold expressions, so that data cannot become code;"
              + " write env: {NAME: \"${{ ... }}\"} and use \"$NAME\" in the script");
    }
    if (script.text().isBlank()) {
      problems.add(script.node().at(), "'script' is empty; write the lines to run");
    }
  }

  private void checkWeight(Fields task) {
    long chars = 0;
    Value.Items command = task.find("command", Value.Items.class);
    if (command != null) {
      chars += command.texts().stream().mapToLong(text -> text.text().length()).sum();
    }
    Fields env = task.find("env", Fields.class);
    if (env != null) {
      for (String name : env.values().keySet()) {
        String value = env.text(name);
        chars += name.length() + (value == null ? 0 : value.length());
      }
    }
    boolean fitted = tasksChars <= TASKS_CHARS_MAX;
    String script = task.text("script");
    tasksChars += chars + (script == null ? 0 : script.length());
    if (fitted && tasksChars > TASKS_CHARS_MAX) {
      problems.add(
          task.node().at(),
          "'command', 'script' and 'env' of all tasks, defaults included, have more than %d characters together; make them shorter, or use several workflows"
              .formatted(TASKS_CHARS_MAX));
    }
    if (chars > TASK_CHARS_MAX) {
      problems.add(
          task.node().at(),
          "'command' and 'env' have %d characters together; the most is %d"
              .formatted(chars, TASK_CHARS_MAX));
    }
  }

  private void checkEnv(Fields task) {
    Fields env = task.find("env", Fields.class);
    if (env == null) {
      return;
    }
    env.written()
        .forEach(
            (name, at) -> {
              if (name.startsWith(OWN_ENV_PREFIX)) {
                problems.add(
                    at,
                    "%s: Belay itself sets the variables %s*; use another name"
                        .formatted(ShapeReader.quoted(name), OWN_ENV_PREFIX));
              }
            });
    env.values().values().forEach(value -> checkText.accept((Value.Text) value));
  }

  private void checkGraph(List<Fields> tasks) {
    Map<String, List<Value.Text>> dependencies = new LinkedHashMap<>();
    Map<String, Value.Text> names = new LinkedHashMap<>();
    for (Fields task : tasks) {
      Value.Text name = task.find("name", Value.Text.class);
      if (name == null) {
        continue;
      }
      Value.Text first = names.putIfAbsent(name.text(), name);
      if (first != null) {
        problems.add(
            name.node().at(),
            "duplicate task name '%s'; it is already on %s: rename one"
                .formatted(name.text(), first.node().at().shown()));
      } else {
        dependencies.put(name.text(), dependenciesOf(task));
      }
    }
    if (tooMany(tasks)) {
      return;
    }
    for (Fields task : tasks) {
      checkDependencies(task, names.keySet());
    }
    Cycles.find(
        dependencies,
        (closing, path) -> {
          boolean self = path.indexOf(" -> ") == path.lastIndexOf(" -> ");
          problems.add(
              closing.node().at(),
              self
                  ? "task '%s' depends on itself; remove it here".formatted(closing.text())
                  : "tasks depend on each other in a cycle: %s; remove one of these dependencies"
                      .formatted(path));
        });
  }

  private boolean tooMany(List<Fields> tasks) {
    long count = 0;
    for (Fields task : tasks) {
      count += dependenciesOf(task).size();
      if (count > DEPENDENCIES_MAX) {
        problems.add(
            task.node().at(),
            "the tasks have more than %d dependencies together; let a task that does nothing stand between many and many"
                .formatted(DEPENDENCIES_MAX));
        return true;
      }
    }
    return false;
  }

  private void checkDependencies(Fields task, Set<String> names) {
    Set<String> seen = new HashSet<>();
    for (Value.Text dependency : dependenciesOf(task)) {
      String name = dependency.text();
      if (!seen.add(name)) {
        problems.add(dependency.node().at(), "'%s' is listed twice; remove one".formatted(name));
      }
      if (!names.contains(name)) {
        String hint = ++suggestions > SUGGESTIONS_MAX ? "" : Suggestion.after(name, names, "");
        problems.add(
            dependency.node().at(),
            "unknown task '%s' in 'depends_on'%s"
                .formatted(name, hint.isEmpty() ? "; no task has this name" : hint));
      }
    }
  }

  private static List<Value.Text> dependenciesOf(Fields task) {
    Value.Items found = task.find("depends_on", Value.Items.class);
    return found == null ? List.of() : found.texts();
  }
}
