package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.belay.domain.id.WorkerId;
import dev.belay.server.health.HealthReport;
import dev.belay.session.wire.WireId;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.Setting;
import dev.belay.settings.Settings;
import dev.belay.workflow.WorkflowSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server itself: its workers, its schema, its health. */
final class ServerHandlers {

  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  /** No worker has a longer name. */
  private static final int NAME_CHARS_MAX = 1_000;

  private final RestDependencies parts;

  ServerHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  HttpResponse workers(Call call) {
    var pageMax = parts.settings().of(RequestGroup.PAGE_MAX);
    return Answers.page(parts.store().reads().workers(call.window(pageMax, pageMax)));
  }

  HttpResponse removeWorker(Call call) {
    var worker = workerOf(call);
    var id = worker.value();
    return switch (parts.store().steering().removeWorker(worker)) {
      case REMOVED -> Answers.ok(Map.of("id", id, "answer", "removed"));
      case ALIVE ->
          throw new Refused(
              HttpStatus.CONFLICT,
              "The worker "
                  + id
                  + " is connected and sends heartbeats. Stop it first: it would come back.");
      case NOT_FOUND -> throw new Refused(Problem.notFound("worker", id));
    };
  }

  HttpResponse revokeWorker(Call call) {
    var worker = workerOf(call);
    if (!parts.store().access().revoke(worker, call.actor())) {
      throw new Refused(Problem.notFound("worker", worker.value()));
    }
    return Answers.ok(Map.of("id", worker.value(), "answer", "revoked"));
  }

  /** Also succeeds for a worker without a key, so a repeated call succeeds. */
  HttpResponse allowWorker(Call call) {
    var worker = workerOf(call);
    parts.store().access().allow(worker, call.actor());
    return Answers.ok(Map.of("id", worker.value(), "answer", "allowed"));
  }

  /** Also succeeds for a worker that is not set aside, so a repeated call succeeds. */
  HttpResponse trustWorker(Call call) {
    var worker = workerOf(call);
    return switch (parts.store().trust().trust(worker, call.actor())) {
      case TRUSTED -> Answers.ok(Map.of("id", worker.value(), "answer", "trusted"));
      case NOT_SET_ASIDE -> Answers.ok(Map.of("id", worker.value(), "answer", "not_set_aside"));
      case NOT_FOUND -> throw new Refused(Problem.notFound("worker", worker.value()));
    };
  }

  /** The worker with this id, or with this name if only one has it. */
  private WorkerId workerOf(Call call) {
    var given = call.path("id");
    if (WireId.isUuid(given)) {
      return WorkerId.of(given);
    }
    if (given.length() > NAME_CHARS_MAX || given.indexOf('\0') >= 0) {
      throw new Refused(HttpStatus.NOT_FOUND, "No worker has such a name.");
    }
    var named = parts.store().access().named(given, 2);
    return switch (named.size()) {
      case 0 -> throw new Refused(Problem.notFound("worker", given));
      case 1 -> named.getFirst();
      default ->
          throw new Refused(
              HttpStatus.CONFLICT,
              "More than one worker has the name " + given + ". Give the id: `belay workers`.");
    };
  }

  HttpResponse schema() {
    return HttpResponse.of(
        HttpStatus.OK,
        MediaType.JSON_UTF_8,
        WorkflowSchema.json().getBytes(StandardCharsets.UTF_8));
  }

  HttpResponse config() {
    Settings settings = parts.settings();
    var all = new ArrayList<Map<String, Object>>();
    for (Setting<?> one : settings.all()) {
      var row = new LinkedHashMap<String, Object>();
      row.put("name", one.name());
      row.put("value", settings.shown(one));
      row.put("source", settings.source(one).text());
      row.put("default", settings.shownDefault(one));
      row.put("type", one.type().word());
      row.put("bounds", one.bounds());
      row.put("meaning", one.meaning());
      all.add(row);
    }
    return Answers.ok(Map.of("process", settings.process().word(), "items", all));
  }

  HttpResponse info() {
    var leadership = parts.store().reads().leadership();
    var info = new LinkedHashMap<String, @Nullable Object>();
    info.put("version", parts.host().version());
    info.put("edition", parts.host().edition());
    info.put("replica", parts.host().replica());
    info.put("leader", leadership.leader());
    info.put("epoch", leadership.epoch());
    info.put("database", leadership.database());
    info.put("schema", leadership.schema());
    info.put("replicas", parts.store().reads().replicas());
    info.put("leases", parts.store().leases().list());
    return Answers.ok(info);
  }

  HttpResponse health() {
    return Answers.ok(Map.of("status", "alive"));
  }

  HttpResponse ready() {
    var trouble = parts.host().trouble().get();
    if (trouble.isPresent()) {
      throw new Refused(Problem.busy(trouble.get()));
    }
    return Answers.ok(Map.of("status", "ready"));
  }

  /**
   * Public, because load balancers send no token: it names replicas and loops, but no user's work.
   */
  HttpResponse monitorHealth() {
    HealthReport heartbeat = parts.host().health().get();
    var status =
        switch (heartbeat.status()) {
          case HEALTHY -> HttpStatus.OK;
          case UNHEALTHY -> HttpStatus.SERVICE_UNAVAILABLE;
        };
    return Answers.json(status, heartbeat);
  }

  HttpResponse metrics() {
    return HttpResponse.of(
        HttpStatus.OK,
        PROMETHEUS,
        parts.host().metrics().registry().scrape().getBytes(StandardCharsets.UTF_8));
  }
}
