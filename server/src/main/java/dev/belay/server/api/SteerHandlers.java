package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.engine.steer.TaskSteer.Changed;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.engine.steer.TaskSteering.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single tasks: clear, retry, mark, skip, block, priority. */
final class SteerHandlers {

  private static final Logger log = LoggerFactory.getLogger(SteerHandlers.class);

  private final RestDependencies parts;

  SteerHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  private TaskSteering steering() {
    return parts.store().taskSteering();
  }

  HttpResponse clear(Call call) {
    var body = SteerBody.of(call, SteerBody.CLEAR);
    var answer = steering().clear(request(call, body), body.selection(), body.dryRun());
    return answered(call, body.dryRun() ? "would_clear" : "cleared", answer);
  }

  HttpResponse retry(Call call) {
    var body = SteerBody.of(call, SteerBody.NOTE);
    return answered(call, "retrying", steering().retry(request(call, body)));
  }

  HttpResponse mark(Call call) {
    var body = SteerBody.of(call, SteerBody.MARK);
    var as = Objects.requireNonNull(body.as());
    return answered(call, "marked", steering().mark(request(call, body), as));
  }

  HttpResponse skip(Call call) {
    var body = SteerBody.of(call, SteerBody.NOTE);
    return answered(call, "skipped", steering().skip(request(call, body)));
  }

  HttpResponse block(Call call) {
    var body = SteerBody.of(call, SteerBody.NOTE);
    return answered(call, "blocked", steering().block(request(call, body)));
  }

  HttpResponse prioritize(Call call) {
    var body = SteerBody.of(call, SteerBody.PRIORITY);
    int priority = Objects.requireNonNull(body.priority());
    return answered(call, "prioritized", steering().prioritize(request(call, body), priority));
  }

  private static Request request(Call call, SteerBody body) {
    return new Request(new TaskId(call.id("task")), body.note(), call.actor());
  }

  private HttpResponse answered(Call call, String done, TaskSteer answer) {
    UUID id = call.id("task");
    return switch (answer) {
      case TaskSteer.Done(var tasks, var run, var reopened) -> {
        log.atInfo()
            .addKeyValue("task", id)
            .addKeyValue("actor", call.actor())
            .addKeyValue("tasks", tasks.size())
            .addKeyValue("answer", done)
            .log("task steered");
        var json = answer(id, done, tasks);
        if (run != null) {
          json.put("run", run.value());
          json.put("reopened", reopened);
        }
        yield Answers.json(HttpStatus.ACCEPTED, json);
      }
      case TaskSteer.Asked(var state, var then) -> {
        var json = answer(id, "ending", List.of());
        json.put("state", state);
        json.put("then", then);
        yield Answers.json(HttpStatus.ACCEPTED, json);
      }
      case TaskSteer.Unchanged(var state) -> {
        var json = answer(id, "unchanged", List.of());
        json.put("state", state);
        yield Answers.ok(json);
      }
      case TaskSteer.Refused(var why) -> throw new Refused(HttpStatus.CONFLICT, why);
      case TaskSteer.NotFound _ -> throw Missing.task(parts.store().reads(), id);
    };
  }

  private static Map<String, Object> answer(UUID id, String answer, List<Changed> tasks) {
    var json = new LinkedHashMap<String, Object>();
    json.put("id", id);
    json.put("answer", answer);
    json.put("tasks", tasks.stream().map(SteerHandlers::changed).toList());
    return json;
  }

  private static Map<String, Object> changed(Changed task) {
    var json = new LinkedHashMap<String, Object>();
    json.put("id", task.id().value());
    json.put("name", task.name());
    json.put("from", task.from());
    json.put("to", task.to());
    json.put("generation", task.generation());
    return json;
  }
}
