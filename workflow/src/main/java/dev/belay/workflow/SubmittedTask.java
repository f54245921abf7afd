package dev.belay.workflow;

import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.Times;
import dev.belay.domain.spec.Unique;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Value.Fields;
import dev.belay.workflow.tree.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task without a workflow, from a request. It obeys the rules of a task in a file, but has no
 * expressions other than the condition of its retries.
 *
 * @param key the idempotency key as given, unchecked; null without one
 * @param queue where it may run, and the limits that it shares; its keys hold no expressions
 * @param deadline null means none
 * @param work null for a task that only waits
 * @param timer when it is due, or when its wait ends; null means at once
 * @param unique null when it may be there twice
 */
public record SubmittedTask(
    @Nullable Node key,
    String tenant,
    String name,
    int priority,
    QueueSpec queue,
    Map<String, String> labels,
    @Nullable Duration deadline,
    @Nullable Work work,
    @Nullable DueTime timer,
    @Nullable Unique unique) {

  /** Reads the tasks of one request, which share the limits of expressions. For one thread. */
  public static final class Reader {
    private final Problems problems;
    private final ExpressionChecker expressions;

    public Reader(Problems problems) {
      this.problems = problems;
      this.expressions = new ExpressionChecker(problems, Map.of());
    }

    /** The task; null as soon as the request has problems, because then none of it is stored. */
    public @Nullable SubmittedTask read(Node node) {
      Value read = new ShapeReader(problems).read(() -> "a task", node, Keys.SUBMITTED_TASK);
      if (!(read instanceof Fields task)) {
        return null;
      }
      new WorkflowChecks(problems, expressions, text -> refuseExpression(text, problems))
          .checkTask(task);
      return problems.isEmpty() ? of(task) : null;
    }
  }

  private static SubmittedTask of(Fields task) {
    Value.Any key = task.find("idempotency_key", Value.Any.class);
    String script = task.text("script");
    Value.Items command = task.find("command", Value.Items.class);
    List<String> argv =
        command == null ? List.of() : command.texts().stream().map(Value.Text::text).toList();
    Fields wait = task.find("wait", Fields.class);
    return new SubmittedTask(
        key == null ? null : key.node(),
        task.or("tenant", WorkflowSpec.DEFAULT_TENANT),
        task.or(
            "name", wait != null ? "wait" : script == null ? nameOf(argv.getFirst()) : "script"),
        task.or("priority", TaskSpec.PRIORITY_DEFAULT),
        wait == null ? QueueKeys.spec(task) : QueueSpec.DEFAULT,
        SpecBuilder.texts(task, "labels"),
        task.orNull("deadline"),
        wait == null
            ? new Work(argv, script, SpecBuilder.texts(task, "env"), SpecBuilder.policy(task))
            : null,
        wait == null
            ? timer(task.orNull("delay"), task.orNull("run_at"))
            : timer(wait.orNull("for"), until(wait)),
        unique(task.find("unique", Fields.class)));
  }

  private static @Nullable Unique unique(@Nullable Fields unique) {
    if (unique == null) {
      return null;
    }
    Duration time =
        unique.values().get("while") instanceof Fields given ? given.<Duration>orNull("for") : null;
    Unique.Scope scope =
        time != null
            ? Unique.Scope.FOR
            : unique.values().get("while") instanceof Value.Text word
                ? Unique.Scope.valueOf(word.text().toUpperCase(Locale.ROOT))
                : Unique.Scope.UNFINISHED;
    String onConflict = unique.or("on_conflict", Unique.OnConflict.REJECT.word());
    return new Unique(
        Objects.requireNonNull(unique.text("key")),
        scope,
        time,
        Unique.OnConflict.valueOf(onConflict.toUpperCase(Locale.ROOT)));
  }

  private static @Nullable DueTime timer(@Nullable Duration after, @Nullable Instant at) {
    return after == null && at == null ? null : new DueTime(after, at);
  }

  private static @Nullable Instant until(Fields wait) {
    String text = wait.text("until");
    return text == null ? null : Times.parse(text).orElseThrow();
  }

  private static void refuseExpression(Value.Text text, Problems problems) {
    if (!new Template(text.text()).isLiteral()) {
      problems.add(
          text.node().at(), "expressions ${{ }} are only for workflows; give the value itself");
    }
  }

  private static String nameOf(String program) {
    return SpecBuilder.nameFor(program.substring(program.lastIndexOf('/') + 1));
  }
}
