package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.settings.EventGroup;
import dev.belay.settings.RequestGroup;
import dev.belay.store.trigger.NewEvent;
import dev.belay.store.trigger.StoredEvents;
import dev.belay.store.trigger.StoredEvents.Stored;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events: send and read. */
final class EventHandlers {

  private final RestDependencies parts;
  private final int eventsMax;
  private final long dataMax;

  EventHandlers(RestDependencies parts) {
    this.parts = parts;
    this.eventsMax = parts.settings().of(EventGroup.EVENTS_MAX);
    this.dataMax = parts.settings().of(EventGroup.EVENT_DATA_MAX);
  }

  HttpResponse send(Call call) {
    var bytes = call.jsonBody();
    var sent =
        parts.checking().call(call, bytes.length, () -> SentEvents.of(bytes, eventsMax, dataMax));
    var stored = store(parts, sent.events(), call.actor());
    var status = stored.stream().anyMatch(Stored::isNew) ? HttpStatus.CREATED : HttpStatus.OK;
    return Answers.json(
        status,
        sent.isBulk()
            ? Map.of("events", stored.stream().map(EventHandlers::answer).toList())
            : answer(stored.getFirst()));
  }

  /** Stores them, or refuses a key that another event has. */
  static List<Stored> store(RestDependencies parts, List<NewEvent> events, String actor) {
    return switch (parts.store().events().store(events, actor)) {
      case StoredEvents.Accepted(var stored) -> {
        int fresh = (int) stored.stream().filter(Stored::isNew).count();
        parts.host().metrics().triggers().received(events.getFirst().source(), fresh);
        yield stored;
      }
      case StoredEvents.KeyConflict(var keys) ->
          throw new Refused(
              Problem.of(
                      HttpStatus.CONFLICT,
                      "An earlier event has the same name and the key "
                          + String.join(", ", keys)
                          + ", but other data; nothing was stored.")
                  .ofType("key-conflict"));
    };
  }

  static Map<String, Object> answer(Stored event) {
    var answer = new LinkedHashMap<String, Object>();
    answer.put("id", event.id());
    answer.put("new", event.isNew());
    return answer;
  }

  HttpResponse list(Call call) {
    return Answers.page(
        parts
            .store()
            .reads()
            .events(
                call.tenant(),
                call.text("name"),
                call.text("key"),
                call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse find(Call call) {
    var id = call.id("event");
    var reads = parts.store().reads();
    var event = reads.event(id).orElseThrow(() -> new Refused(Problem.notFound("event", id)));
    var answer = JsonText.object(event);
    answer.putPOJO("triggers", reads.eventFires(id));
    return Answers.ok(answer);
  }

  /** What the ends of a run started. */
  HttpResponse chains(Call call) {
    var id = call.id("run");
    var reads = parts.store().reads();
    if (reads.runState(id).isEmpty()) {
      throw Missing.run(reads, id);
    }
    return Answers.items(reads.chainFires(id));
  }
}
