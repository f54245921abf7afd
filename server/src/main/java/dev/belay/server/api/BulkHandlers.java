package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.bulk.BulkState;
import dev.belay.domain.id.BulkId;
import dev.belay.engine.bulk.BulkSteer;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.ScheduleGroup;
import dev.belay.store.bulk.BulkSql.NewBulk;
import dev.belay.store.bulk.BulkSql.Preview;
import dev.belay.store.bulk.FilterJson;
import dev.belay.store.intake.BulkIntake;
import dev.belay.store.intake.BulkIntake.Started;
import dev.belay.store.read.Bulk;
import dev.belay.store.read.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bulk operations: start, preview, read, cancel. */
final class BulkHandlers {

  private static final Logger log = LoggerFactory.getLogger(BulkHandlers.class);

  private final RestDependencies parts;
  private final Waiting waiting;
  private final int runningMax;

  BulkHandlers(RestDependencies parts, Waiting waiting) {
    this.parts = parts;
    this.waiting = waiting;
    this.runningMax = parts.settings().of(ScheduleGroup.BULK_RUNNING_MAX);
  }

  private BulkIntake intake() {
    return parts.store().bulking().intake();
  }

  HttpResponse start(Call call) {
    var bytes = call.jsonBody();
    var now = intake().now();
    var body = parts.checking().call(call, bytes.length, () -> BulkBody.of(call, bytes, now));
    var key = body.key();
    if (key != null && !body.dryRun()) {
      var earlier = intake().earlier(key);
      if (earlier.isPresent()) {
        return answered(earlier.get());
      }
    }
    var preview = intake().preview(body.kind().target(), body.filter(), now);
    if (body.dryRun()) {
      var answer = new LinkedHashMap<String, @Nullable Object>();
      answer.put("kind", body.kind().word());
      answer.put("filter", JsonText.raw(new Json(FilterJson.write(body.filter()))));
      answer.put("preview", json(preview));
      return Answers.ok(answer);
    }
    var id = new BulkId(parts.store().bulking().ids().next());
    var wanted =
        new NewBulk(
            id,
            body.kind(),
            body.filter(),
            body.priority(),
            note(body.note(), id),
            body.rate(),
            JsonText.text(json(preview)));
    var started = intake().start(wanted, key, call.actor(), runningMax);
    if (started instanceof Started.Accepted(var accepted) && accepted.equals(id.value())) {
      log.atInfo()
          .addKeyValue("bulk", id)
          .addKeyValue("kind", body.kind().word())
          .addKeyValue("actor", call.actor())
          .addKeyValue("matches", preview.matches())
          .log("bulk requested");
    }
    return answered(started);
  }

  /** The history of each task names the operation. */
  private static String note(String given, BulkId id) {
    return given.isEmpty() ? "bulk " + id : given + " (bulk " + id + ")";
  }

  private static Map<String, Object> json(Preview preview) {
    var json = new LinkedHashMap<String, Object>();
    json.put("matches", preview.matches());
    json.put("counted_all", preview.counted());
    json.put("sample", JsonText.raw(new Json(preview.sample())));
    return json;
  }

  private HttpResponse answered(Started started) {
    return switch (started) {
      case Started.Accepted(var id) -> Answers.json(HttpStatus.CREATED, found(id));
      case Started.TooMany _ ->
          throw new Refused(
              Problem.of(
                      HttpStatus.TOO_MANY_REQUESTS,
                      "As many bulk operations as may be (%d) are RUNNING; nothing was started. Wait until one has ended, or cancel one."
                          .formatted(runningMax))
                  .with("retry-after", "10"));
      case Started.KeyConflict(var key) -> throw TaskHandlers.keyConflict(List.of(key));
    };
  }

  HttpResponse list(Call call) {
    return Answers.page(
        parts
            .store()
            .reads()
            .bulks(call.tenant(), call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse find(Call call) {
    var id = call.id("bulk operation");
    var reads = parts.store().reads();
    waiting.until(
        call,
        call.wait(parts.settings().of(RequestGroup.WAIT_MAX)),
        () -> reads.bulk(id).map(Bulk::state),
        state -> state.isEmpty() || state.get().isTerminal());
    return Answers.ok(found(id));
  }

  private Bulk found(UUID id) {
    return parts.store().reads().bulk(id).orElseThrow(() -> missing(id));
  }

  /** May be repeated. */
  HttpResponse cancel(Call call) {
    var id = call.id("bulk operation");
    return switch (parts.store().bulking().steering().cancel(new BulkId(id), call.actor())) {
      case BulkSteer.Cancelled _ -> Answers.ok(found(id));
      case BulkSteer.AlreadyOver(BulkState state) ->
          throw new Refused(
              HttpStatus.CONFLICT,
              "The bulk operation " + id + " is " + state + "; there is nothing to cancel.");
      case BulkSteer.NotFound _ -> throw missing(id);
    };
  }

  private static Refused missing(UUID id) {
    return new Refused(Problem.notFound("bulk operation", id));
  }
}
