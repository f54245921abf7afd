package dev.belay.domain.plan;

import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.Expressions.Evaluation;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.Work;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns a task of a workflow into work for a worker by evaluating its expressions. */
final class Resolution {

  private Resolution() {}

  static Work resolve(TaskSpec task, Evaluation evaluation) throws ExpressionFailed {
    Map<String, String> env = new LinkedHashMap<>();
    for (Map.Entry<String, Template> entry : task.env().entrySet()) {
      env.put(entry.getKey(), text(entry.getValue(), evaluation));
    }
    return switch (task.action()) {
      case Action.Command command -> {
        List<String> argv = new ArrayList<>(command.argv().size());
        for (Template argument : command.argv()) {
          argv.add(text(argument, evaluation));
        }
        yield new Work(argv, null, env, task.policy());
      }
      case Action.Script script -> new Work(List.of(), script.text(), env, task.policy());
    };
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
