package dev.belay.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.settings.RequestGroup;
import dev.belay.store.system.Declaration;
import dev.belay.store.system.Declaration.Seen;
import dev.belay.store.system.Declared.Names;
import dev.belay.store.system.Declared.TenantView;
import dev.belay.store.system.Kind;
import dev.belay.store.system.KnownRoutes.Route;
import dev.belay.workflow.Durations;
import dev.belay.workflow.Problems;
import dev.belay.workflow.SystemKeys;
import dev.belay.workflow.tree.Node;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pools, topics and tenants: list, show, declare, remove. */
final class SystemHandlers {

  private static final Logger log = LoggerFactory.getLogger(SystemHandlers.class);

  private final RestDependencies parts;
  private final RouteWarnings warnings;

  SystemHandlers(RestDependencies parts, RouteWarnings warnings) {
    this.parts = parts;
    this.warnings = warnings;
  }

  HttpResponse pools(Call call) {
    return page(parts.store().declared().pools(call.text("cursor"), limit(call)), item -> item);
  }

  HttpResponse pool(Call call) {
    return found(Kind.POOL, call.path("name"), HttpStatus.OK);
  }

  HttpResponse putPool(Call call) {
    var name = call.path("name");
    var pool = read(call, keys -> keys.reader.pool(name, keys.body));
    return put(call, Kind.POOL, pool, name);
  }

  HttpResponse topics(Call call) {
    return page(parts.store().declared().topics(call.text("cursor"), limit(call)), item -> item);
  }

  HttpResponse topic(Call call) {
    return found(Kind.TOPIC, call.path("name"), HttpStatus.OK);
  }

  HttpResponse putTopic(Call call) {
    var name = call.path("name");
    var topic = read(call, keys -> keys.reader.topic(name, keys.body));
    return put(call, Kind.TOPIC, topic, name);
  }

  HttpResponse tenants(Call call) {
    return page(
        parts.store().declared().tenants(call.text("cursor"), limit(call)), SystemHandlers::tenant);
  }

  HttpResponse tenant(Call call) {
    return found(Kind.TENANT, call.path("name"), HttpStatus.OK);
  }

  HttpResponse putTenant(Call call) {
    var name = call.path("name");
    var tenant = read(call, keys -> keys.reader.tenant(name, keys.body));
    return put(call, Kind.TENANT, tenant, name);
  }

  HttpResponse deletePool(Call call) {
    return delete(Kind.POOL, call);
  }

  HttpResponse deleteTopic(Call call) {
    return delete(Kind.TOPIC, call);
  }

  HttpResponse deleteTenant(Call call) {
    return delete(Kind.TENANT, call);
  }

  private HttpResponse delete(Kind<?> kind, Call call) {
    var name = call.path("name");
    return switch (parts.store().declarations().delete(kind, name, seen(call))) {
      case Declaration.Done _ -> {
        tell(call, kind, name, "no longer declared");
        yield Answers.ok(Map.of("name", name, "answer", "deleted"));
      }
      case Declaration.NotFound _ -> throw missing(kind, name);
      case Declaration.OfSystemFile _ -> throw owned(kind, name);
      case Declaration.Outdated(var version) -> throw outdated(kind, name, version);
    };
  }

  private <T> HttpResponse put(Call call, Kind<T> kind, T value, String name) {
    return switch (parts.store().declarations().put(kind, value, seen(call), call.actor())) {
      case Declaration.Done(var created, var changed) -> {
        if (changed) {
          tell(call, kind, name, "declared");
        }
        yield found(kind, name, created ? HttpStatus.CREATED : HttpStatus.OK);
      }
      case Declaration.NotFound _ -> throw missing(kind, name);
      case Declaration.OfSystemFile _ -> throw owned(kind, name);
      case Declaration.Outdated(var version) -> throw outdated(kind, name, version);
    };
  }

  /** The thing with its version, for a later change. */
  private HttpResponse found(Kind<?> kind, String name, HttpStatus status) {
    var reads = parts.store().declared();
    Optional<Shown> shown;
    if (kind.equals(Kind.POOL)) {
      shown = reads.pool(name).map(pool -> new Shown(pool, pool.version(), List.of()));
    } else if (kind.equals(Kind.TOPIC)) {
      shown =
          reads
              .topic(name)
              .map(
                  topic ->
                      new Shown(
                          topic,
                          topic.version(),
                          warnings.of(List.of(new Route(topic.name(), null)))));
    } else {
      shown = reads.tenant(name).map(each -> new Shown(tenant(each), each.version(), List.of()));
    }
    return shown.orElseThrow(() -> missing(kind, name)).answer(status);
  }

  private record Shown(Object item, @Nullable Long version, List<String> warnings) {
    HttpResponse answer(HttpStatus status) {
      var body = JsonText.object(item);
      body.putPOJO("warnings", warnings);
      return version == null
          ? Answers.json(status, body)
          : Answers.json(status, body, Map.of(HttpHeaderNames.ETAG, "\"" + version + "\""));
    }
  }

  private static Map<String, @Nullable Object> tenant(TenantView tenant) {
    var answer = new LinkedHashMap<String, @Nullable Object>();
    answer.put("name", tenant.name());
    answer.put("description", tenant.description());
    answer.put("weight", tenant.weight());
    answer.put("max_running", tenant.maxRunning());
    answer.put("max_waiting", tenant.maxWaiting());
    var per = tenant.submitPerMs();
    answer.put(
        "submit_rate",
        tenant.submitMax() == null || per == null
            ? null
            : Map.of("max", tenant.submitMax(), "per", Durations.format(Duration.ofMillis(per))));
    answer.put("declared_in", tenant.declaredIn());
    answer.put("version", tenant.version());
    answer.put("changed_at", tenant.changedAt());
    answer.put("changed_by", tenant.changedBy());
    return answer;
  }

  private int limit(Call call) {
    var pageMax = parts.settings().of(RequestGroup.PAGE_MAX);
    return call.limit(pageMax, pageMax);
  }

  private static <T> HttpResponse page(Names<T> page, Function<T, Object> shown) {
    return Answers.page(page.items().stream().map(shown).toList(), page.next());
  }

  private record Written(SystemKeys reader, Node.Mapping body) {}

  private <T> T read(Call call, Function<Written, @Nullable T> reading) {
    var bytes = call.jsonBody();
    return parts
        .checking()
        .call(
            call,
            bytes.length,
            () -> {
              var problems = new Problems("");
              var body = JsonText.body(bytes, problems);
              T value = reading.apply(new Written(new SystemKeys(problems), body));
              if (value == null) {
                throw Refused.invalid(
                    problems.list(), "The request is not valid; nothing was declared.");
              }
              return value;
            });
  }

  /** By If-Match and If-None-Match. */
  private static Seen seen(Call call) {
    var match = call.header(HttpHeaderNames.IF_MATCH);
    var none = call.header(HttpHeaderNames.IF_NONE_MATCH);
    if (none != null) {
      if (!none.strip().equals("*") || match != null) {
        throw badHeader("If-None-Match", "*, without If-Match: it must not be declared yet");
      }
      return new Seen.Nothing();
    }
    if (match == null) {
      return new Seen.Anything();
    }
    var text = match.strip();
    if (!text.matches("\"[0-9]{1,18}\"")) {
      throw badHeader("If-Match", "the ETag of an earlier answer, such as \"7\"");
    }
    return new Seen.Version(Long.parseLong(text.substring(1, text.length() - 1)));
  }

  private static Refused badHeader(String header, String expected) {
    return new Refused(
        HttpStatus.BAD_REQUEST, "The header " + header + " must be " + expected + ".");
  }

  private static Refused missing(Kind<?> kind, String name) {
    return new Refused(Problem.notFound(kind.word(), name));
  }

  private static Refused owned(Kind<?> kind, String name) {
    return new Refused(
        Problem.of(
                HttpStatus.CONFLICT,
                "The system file declares the %s %s, so only the system file changes it; nothing changed. Change the file and `belay apply` it, or remove the %s from it first."
                    .formatted(kind.word(), name, kind.word()))
            .ofType("declared-in-system-file"));
  }

  private static Refused outdated(Kind<?> kind, String name, @Nullable Long version) {
    return new Refused(
        Problem.of(
                HttpStatus.PRECONDITION_FAILED,
                version == null
                    ? "The %s %s is not declared any more; nothing changed. Look again."
                        .formatted(kind.word(), name)
                    : "The %s %s was changed since you read it and is now version %d; nothing changed. Look at it, and try again."
                        .formatted(kind.word(), name, version))
            .ofType("version-outdated"));
  }

  private static void tell(Call call, Kind<?> kind, String name, String what) {
    log.atInfo()
        .addKeyValue("kind", kind.word())
        .addKeyValue("name", name)
        .addKeyValue("actor", call.actor())
        .log(what);
  }
}
