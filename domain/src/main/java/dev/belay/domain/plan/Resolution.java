package dev.belay.domain.plan;

import dev.belay.domain.plan.Plan.Ready;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.Expressions.Evaluation;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.Times;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a ready task of a workflow into work for a worker, or a timer: evaluates its expressions.
 */
final class Resolution {

  private Resolution() {}

  static Ready resolve(WorkflowSpec workflow, TaskSpec task, Evaluation evaluation)
      throws ExpressionFailed {
    return switch (task.action()) {
      case Action.Command command -> {
        List<String> argv = new ArrayList<>(command.argv().size());
        Map<String, String> env = env(task, evaluation);
        for (Template argument : command.argv()) {
          argv.add(text(argument, evaluation));
        }
        yield new Ready(
            new Work(argv, null, env, task.policy()),
            queue(workflow, task, evaluation),
            task.labels());
      }
      case Action.Script script ->
          new Ready(
              new Work(List.of(), script.text(), env(task, evaluation), task.policy()),
              queue(workflow, task, evaluation),
              task.labels());
      case Action.Wait wait -> new Ready(timer(wait, evaluation), task.labels());
    };
  }

  private static Map<String, String> env(TaskSpec task, Evaluation evaluation)
      throws ExpressionFailed {
    Map<String, String> env = new LinkedHashMap<>();
    for (Map.Entry<String, Template> entry : task.env().entrySet()) {
      env.put(entry.getKey(), text(entry.getValue(), evaluation));
    }
    return env;
  }

  private static TaskQueue queue(WorkflowSpec workflow, TaskSpec task, Evaluation evaluation)
      throws ExpressionFailed {
    return QueueOf.task(workflow, task, key -> text(key, evaluation));
  }

  private static DueTime timer(Action.Wait wait, Evaluation evaluation) throws ExpressionFailed {
    Template until = wait.until();
    if (until == null) {
      return new DueTime(wait.span(), null);
    }
    String text = text(until, evaluation);
    Optional<Instant> time = Times.parse(text);
    if (time.isEmpty()) {
      throw new ExpressionFailed(
          "'until' must be %s, but %s is '%s'".formatted(Times.EXPECTED, until.text(), text));
    }
    return DueTime.at(time.get());
  }

  private static String text(Template template, Evaluation evaluation) throws ExpressionFailed {
    if (template.isLiteral()) {
      return template.text();
    }
    String text = evaluation.text(template);
    if (text.indexOf('\0') >= 0) {
      throw new ExpressionFailed("the value of " + template.text() + " holds a NUL character");
    }
    return text;
  }
}
