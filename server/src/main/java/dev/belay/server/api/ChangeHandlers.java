package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import dev.belay.engine.port.ChangeFeed;
import dev.belay.engine.port.ChangeFeed.Answer;
import dev.belay.engine.port.ChangeFeed.Cursor;
import dev.belay.engine.port.ChangeFeed.Event;
import dev.belay.engine.port.ChangeFeed.Events;
import dev.belay.engine.port.ChangeFeed.Reset;
import dev.belay.engine.port.ChangeFeed.RunEvent;
import dev.belay.engine.port.ChangeFeed.TaskEvent;
import dev.belay.settings.RequestGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The change feed. */
final class ChangeHandlers {

  /** Instead of a cursor: the end of the feed. */
  private static final String LATEST = "latest";

  /** An event with the objects and the text made from it; a workflow's name may be long. */
  private static final long EVENT_BYTES = 2_000;

  private final RestDependencies parts;
  private final Waiting waiting;

  ChangeHandlers(RestDependencies parts, Waiting waiting) {
    this.parts = parts;
    this.waiting = waiting;
  }

  HttpResponse list(Call call) {
    ChangeFeed feed = parts.store().feed();
    var pageMax = parts.settings().of(RequestGroup.PAGE_MAX);
    var limit = call.limit(pageMax, pageMax);
    var wait = call.wait(parts.settings().of(RequestGroup.WAIT_MAX));
    if (LATEST.equals(call.text("after"))) {
      return answer(call, new Events(List.of(), feed.latest()));
    }
    var after = after(call);
    return answer(
        call,
        waiting.until(
            call,
            wait,
            () -> feed.read(after, limit),
            read ->
                switch (read) {
                  case Events events -> !events.events().isEmpty();
                  case Reset _ -> true;
                }));
  }

  private static @Nullable Cursor after(Call call) {
    var text = call.text("after");
    return text == null
        ? null
        : Cursor.parse(text)
            .orElseThrow(
                () -> Call.bad("after", text, "the next of an earlier answer, or " + LATEST));
  }

  /** Counts its memory only now: a request that waits for events must not keep out others. */
  private static HttpResponse answer(Call call, Answer answer) {
    var body = new LinkedHashMap<String, Object>();
    switch (answer) {
      case Events(var events, _) -> {
        call.needs(EVENT_BYTES * events.size());
        body.put("items", events.stream().map(ChangeHandlers::said).toList());
      }
      case Reset _ -> body.put("items", List.of());
    }
    body.put("next", answer.next().toString());
    body.put("reset", answer instanceof Reset);
    return Answers.ok(body);
  }

  private static Map<String, @Nullable Object> said(Event event) {
    var said = new LinkedHashMap<String, @Nullable Object>();
    said.put("id", event.id().toString());
    said.put("at", event.at());
    switch (event) {
      case TaskEvent task -> {
        said.put("kind", "task");
        said.put("task", task.task().value());
        said.put("run", task.run() == null ? null : task.run().value());
        said.put("workflow", task.workflow());
        said.put("state", task.state());
      }
      case RunEvent run -> {
        said.put("kind", "run");
        said.put("task", null);
        said.put("run", run.run().value());
        said.put("workflow", run.workflow());
        said.put("state", run.state());
      }
    }
    return said;
  }
}
