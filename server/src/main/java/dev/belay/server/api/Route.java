package dev.belay.server.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.belay.server.auth.Permission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * Every call of the API, what it needs, and who answers it: a route cannot exist without a
 * permission.
 */
enum Route {
  SUBMIT_TASKS(
      HttpMethod.POST, "/api/v1/tasks", Permission.SUBMIT, (api, call) -> api.tasks().submit(call)),
  LIST_TASKS(
      HttpMethod.GET, "/api/v1/tasks", Permission.READ, (api, call) -> api.tasks().list(call)),
  FIND_TASK(
      HttpMethod.GET, "/api/v1/tasks/{id}", Permission.READ, (api, call) -> api.tasks().find(call)),
  LIST_ATTEMPTS(
      HttpMethod.GET,
      "/api/v1/tasks/{id}/attempts",
      Permission.READ,
      (api, call) -> api.tasks().attempts(call)),
  TASK_HISTORY(
      HttpMethod.GET,
      "/api/v1/tasks/{id}/history",
      Permission.READ,
      (api, call) -> api.tasks().history(call)),
  TASK_LOGS(
      HttpMethod.GET,
      "/api/v1/tasks/{id}/logs",
      Permission.READ,
      (api, call) -> api.logs().stream(call)),
  CANCEL_TASK(
      HttpMethod.POST,
      "/api/v1/tasks/{id}/cancel",
      Permission.STEER,
      (api, call) -> api.tasks().cancel(call)),
  REGISTER_WORKFLOW(
      HttpMethod.POST,
      "/api/v1/workflows",
      Permission.SUBMIT,
      (api, call) -> api.workflows().register(call)),
  VALIDATE_WORKFLOW(
      HttpMethod.POST,
      "/api/v1/workflows/validate",
      Permission.READ,
      (api, call) -> api.workflows().validate(call)),
  LIST_WORKFLOWS(
      HttpMethod.GET,
      "/api/v1/workflows",
      Permission.READ,
      (api, call) -> api.workflows().list(call)),
  FIND_WORKFLOW(
      HttpMethod.GET,
      "/api/v1/workflows/{name}",
      Permission.READ,
      (api, call) -> api.workflows().find(call)),
  TRIGGER_RUN(
      HttpMethod.POST,
      "/api/v1/workflows/{name}/runs",
      Permission.SUBMIT,
      (api, call) -> api.runs().trigger(call)),
  LIST_RUNS(HttpMethod.GET, "/api/v1/runs", Permission.READ, (api, call) -> api.runs().list(call)),
  FIND_RUN(
      HttpMethod.GET, "/api/v1/runs/{id}", Permission.READ, (api, call) -> api.runs().find(call)),
  RUN_HISTORY(
      HttpMethod.GET,
      "/api/v1/runs/{id}/history",
      Permission.READ,
      (api, call) -> api.runs().history(call)),
  CANCEL_RUN(
      HttpMethod.POST,
      "/api/v1/runs/{id}/cancel",
      Permission.STEER,
      (api, call) -> api.runs().cancel(call)),
  LIST_WORKERS(
      HttpMethod.GET,
      "/api/v1/workers",
      Permission.READ,
      (api, call) -> api.server().workers(call)),
  SCHEMA(HttpMethod.GET, "/api/v1/schema", Permission.READ, (api, call) -> api.server().schema()),
  INFO(HttpMethod.GET, "/api/v1/info", Permission.READ, (api, call) -> api.server().info()),
  HEALTH(HttpMethod.GET, "/healthz", Permission.PUBLIC, (api, call) -> api.server().health()),
  READY(HttpMethod.GET, "/readyz", Permission.PUBLIC, (api, call) -> api.server().ready()),
  METRICS(HttpMethod.GET, "/metrics", Permission.READ, (api, call) -> api.server().metrics());

  private final HttpMethod method;
  private final String path;
  private final Permission permission;
  private final BiFunction<Handlers, Call, HttpResponse> handler;
  private final Pattern matches;

  Route(
      HttpMethod method,
      String path,
      Permission permission,
      BiFunction<Handlers, Call, HttpResponse> handler) {
    this.method = method;
    this.path = path;
    this.permission = permission;
    this.handler = handler;
    this.matches = Pattern.compile(path.replaceAll("\\{[a-z]+}", "[^/]+"));
  }

  HttpMethod method() {
    return method;
  }

  String path() {
    return path;
  }

  Permission permission() {
    return permission;
  }

  HttpResponse handle(Handlers api, Call call) {
    return handler.apply(api, call);
  }

  /** The methods that a path knows. */
  static Set<HttpMethod> methodsOf(String path) {
    var methods = EnumSet.noneOf(HttpMethod.class);
    Arrays.stream(values())
        .filter(route -> route.matches.matcher(path).matches())
        .forEach(route -> methods.add(route.method));
    return methods;
  }

  /** Who answers, by the thing that is asked about. */
  record Handlers(
      TaskHandlers tasks,
      LogHandlers logs,
      WorkflowHandlers workflows,
      RunHandlers runs,
      ServerHandlers server) {}
}
