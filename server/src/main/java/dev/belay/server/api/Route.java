package dev.belay.server.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.belay.server.auth.CallPermission;
import dev.belay.store.retention.FinishedRows.Kind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Every call of the API with its permission and its handler: no route can exist without a
 * permission.
 */
enum Route {
  SUBMIT_TASKS(HttpMethod.POST, "/api/v1/tasks", CallPermission.SUBMIT),
  LIST_TASKS(HttpMethod.GET, "/api/v1/tasks", CallPermission.READ),
  FIND_TASK(HttpMethod.GET, "/api/v1/tasks/{id}", CallPermission.READ),
  LIST_ATTEMPTS(HttpMethod.GET, "/api/v1/tasks/{id}/attempts", CallPermission.READ),
  TASK_HISTORY(HttpMethod.GET, "/api/v1/tasks/{id}/history", CallPermission.READ),
  TASK_LOGS(HttpMethod.GET, "/api/v1/tasks/{id}/logs", CallPermission.READ),
  CANCEL_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/cancel", CallPermission.STEER),
  TERMINATE_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/terminate", CallPermission.STEER),
  UNBLOCK_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/unblock", CallPermission.STEER),
  CLEAR_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/clear", CallPermission.STEER),
  RETRY_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/retry", CallPermission.STEER),
  MARK_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/mark", CallPermission.STEER),
  SKIP_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/skip", CallPermission.STEER),
  BLOCK_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/block", CallPermission.STEER),
  PRIORITIZE_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/priority", CallPermission.STEER),
  NOTE_TASK(HttpMethod.POST, "/api/v1/tasks/{id}/note", CallPermission.STEER),
  REGISTER_WORKFLOW(HttpMethod.POST, "/api/v1/workflows", CallPermission.SUBMIT),
  VALIDATE_WORKFLOW(HttpMethod.POST, "/api/v1/workflows/validate", CallPermission.READ),
  LIST_WORKFLOWS(HttpMethod.GET, "/api/v1/workflows", CallPermission.READ),
  FIND_WORKFLOW(HttpMethod.GET, "/api/v1/workflows/{name}", CallPermission.READ),
  LIST_VERSIONS(HttpMethod.GET, "/api/v1/workflows/{name}/versions", CallPermission.READ),
  ROLL_BACK_WORKFLOW(HttpMethod.POST, "/api/v1/workflows/{name}/rollback", CallPermission.SUBMIT),
  PAUSE_WORKFLOW(HttpMethod.POST, "/api/v1/workflows/{name}/pause", CallPermission.STEER),
  RESUME_WORKFLOW(HttpMethod.POST, "/api/v1/workflows/{name}/resume", CallPermission.STEER),
  LIST_SCHEDULES(HttpMethod.GET, "/api/v1/schedules", CallPermission.READ),
  SHOW_SCHEDULE(HttpMethod.GET, "/api/v1/workflows/{name}/schedule", CallPermission.READ),
  LIST_FIRES(HttpMethod.GET, "/api/v1/workflows/{name}/fires", CallPermission.READ),
  PAUSE_TRIGGER(
      HttpMethod.POST, "/api/v1/workflows/{name}/triggers/{trigger}/pause", CallPermission.STEER),
  RESUME_TRIGGER(
      HttpMethod.POST, "/api/v1/workflows/{name}/triggers/{trigger}/resume", CallPermission.STEER),
  APPLY(HttpMethod.POST, "/api/v1/apply", CallPermission.STEER),
  FIND_SYSTEM(HttpMethod.GET, "/api/v1/system", CallPermission.READ),
  LIST_POOLS(HttpMethod.GET, "/api/v1/pools", CallPermission.READ),
  FIND_POOL(HttpMethod.GET, "/api/v1/pools/{name}", CallPermission.READ),
  PUT_POOL(HttpMethod.PUT, "/api/v1/pools/{name}", CallPermission.STEER),
  DELETE_POOL(HttpMethod.DELETE, "/api/v1/pools/{name}", CallPermission.STEER),
  LIST_TOPICS(HttpMethod.GET, "/api/v1/topics", CallPermission.READ),
  FIND_TOPIC(HttpMethod.GET, "/api/v1/topics/{name}", CallPermission.READ),
  PUT_TOPIC(HttpMethod.PUT, "/api/v1/topics/{name}", CallPermission.STEER),
  DELETE_TOPIC(HttpMethod.DELETE, "/api/v1/topics/{name}", CallPermission.STEER),
  LIST_TENANTS(HttpMethod.GET, "/api/v1/tenants", CallPermission.READ),
  FIND_TENANT(HttpMethod.GET, "/api/v1/tenants/{name}", CallPermission.READ),
  PUT_TENANT(HttpMethod.PUT, "/api/v1/tenants/{name}", CallPermission.STEER),
  DELETE_TENANT(HttpMethod.DELETE, "/api/v1/tenants/{name}", CallPermission.STEER),
  TRIGGER_RUN(HttpMethod.POST, "/api/v1/workflows/{name}/runs", CallPermission.SUBMIT),
  LIST_RUNS(HttpMethod.GET, "/api/v1/runs", CallPermission.READ),
  FIND_RUN(HttpMethod.GET, "/api/v1/runs/{id}", CallPermission.READ),
  RUN_HISTORY(HttpMethod.GET, "/api/v1/runs/{id}/history", CallPermission.READ),
  CANCEL_RUN(HttpMethod.POST, "/api/v1/runs/{id}/cancel", CallPermission.STEER),
  RETRY_RUN(HttpMethod.POST, "/api/v1/runs/{id}/retry", CallPermission.STEER),
  START_BACKFILL(HttpMethod.POST, "/api/v1/workflows/{name}/backfills", CallPermission.SUBMIT),
  LIST_BACKFILLS(HttpMethod.GET, "/api/v1/backfills", CallPermission.READ),
  FIND_BACKFILL(HttpMethod.GET, "/api/v1/backfills/{id}", CallPermission.READ),
  PAUSE_BACKFILL(HttpMethod.POST, "/api/v1/backfills/{id}/pause", CallPermission.STEER),
  RESUME_BACKFILL(HttpMethod.POST, "/api/v1/backfills/{id}/resume", CallPermission.STEER),
  CANCEL_BACKFILL(HttpMethod.POST, "/api/v1/backfills/{id}/cancel", CallPermission.STEER),
  START_BULK(HttpMethod.POST, "/api/v1/bulk", CallPermission.STEER),
  LIST_BULKS(HttpMethod.GET, "/api/v1/bulk", CallPermission.READ),
  FIND_BULK(HttpMethod.GET, "/api/v1/bulk/{id}", CallPermission.READ),
  CANCEL_BULK(HttpMethod.POST, "/api/v1/bulk/{id}/cancel", CallPermission.STEER),
  LIST_DEAD_LETTERS(HttpMethod.GET, "/api/v1/dead-letters", CallPermission.READ),
  GROUP_DEAD_LETTERS(HttpMethod.GET, "/api/v1/dead-letter-groups", CallPermission.READ),
  FIND_DEAD_LETTER(HttpMethod.GET, "/api/v1/dead-letters/{id}", CallPermission.READ),
  RETRY_DEAD_LETTER(HttpMethod.POST, "/api/v1/dead-letters/{id}/retry", CallPermission.STEER),
  PURGE_DEAD_LETTERS(HttpMethod.POST, "/api/v1/dead-letters/purge", CallPermission.ADMIN),
  LIST_CHAINS(HttpMethod.GET, "/api/v1/runs/{id}/chains", CallPermission.READ),
  SEND_EVENTS(HttpMethod.POST, "/api/v1/events", CallPermission.SUBMIT),
  LIST_EVENTS(HttpMethod.GET, "/api/v1/events", CallPermission.READ),
  FIND_EVENT(HttpMethod.GET, "/api/v1/events/{id}", CallPermission.READ),
  RECEIVE_HOOK(HttpMethod.POST, "/hooks/{name}/{token}", CallPermission.PUBLIC),
  LIST_WORKERS(HttpMethod.GET, "/api/v1/workers", CallPermission.READ),
  REMOVE_WORKER(HttpMethod.POST, "/api/v1/workers/{id}/remove", CallPermission.STEER),
  REVOKE_WORKER(HttpMethod.POST, "/api/v1/workers/{id}/revoke", CallPermission.ADMIN),
  ALLOW_WORKER(HttpMethod.POST, "/api/v1/workers/{id}/allow", CallPermission.ADMIN),
  TRUST_WORKER(HttpMethod.POST, "/api/v1/workers/{id}/trust", CallPermission.STEER),
  RECOVERY(HttpMethod.GET, "/api/v1/recovery", CallPermission.READ),
  LIST_RECOVERIES(HttpMethod.GET, "/api/v1/recovery/events", CallPermission.READ),
  LATENESS(HttpMethod.GET, "/api/v1/lateness", CallPermission.READ),
  LIST_ALERTS(HttpMethod.GET, "/api/v1/alerts", CallPermission.READ),
  LIST_FINISHED_RUNS(HttpMethod.GET, "/api/v1/archive/runs", CallPermission.ADMIN),
  LIST_FINISHED_TASKS(HttpMethod.GET, "/api/v1/archive/tasks", CallPermission.ADMIN),
  REMOVE_FINISHED_RUNS(HttpMethod.POST, "/api/v1/archive/runs/remove", CallPermission.ADMIN),
  REMOVE_FINISHED_TASKS(HttpMethod.POST, "/api/v1/archive/tasks/remove", CallPermission.ADMIN),
  LIST_CHANGES(HttpMethod.GET, "/api/v1/changes", CallPermission.READ),
  SCHEMA(HttpMethod.GET, "/api/v1/schema", CallPermission.READ),
  CONFIG(HttpMethod.GET, "/api/v1/config", CallPermission.READ),
  INFO(HttpMethod.GET, "/api/v1/info", CallPermission.READ),
  HEALTH(HttpMethod.GET, "/healthz", CallPermission.PUBLIC),
  READY(HttpMethod.GET, "/readyz", CallPermission.PUBLIC),
  MONITOR_HEALTH(HttpMethod.GET, "/monitor/health", CallPermission.PUBLIC),
  METRICS(HttpMethod.GET, "/metrics", CallPermission.READ);

  private static final Set<Route> WITHOUT_DATABASE =
      EnumSet.of(VALIDATE_WORKFLOW, SCHEMA, HEALTH, READY, MONITOR_HEALTH, METRICS);

  private final HttpMethod method;
  private final String path;
  private final CallPermission permission;
  private final Pattern matches;

  Route(HttpMethod method, String path, CallPermission permission) {
    this.method = method;
    this.path = path;
    this.permission = permission;
    this.matches = Pattern.compile(path.replaceAll("\\{[a-z]+}", "[^/]+"));
  }

  HttpMethod method() {
    return method;
  }

  String path() {
    return path;
  }

  CallPermission permission() {
    return permission;
  }

  /** The query parameters that its handler reads. */
  Set<String> parameters() {
    return switch (this) {
      case LIST_TASKS ->
          Set.of(
              "tenant",
              "state",
              "run",
              "name",
              "pool",
              "worker",
              "changed_after",
              "limit",
              "cursor");
      case LIST_EVENTS -> Set.of("tenant", "name", "key", "limit", "cursor");
      case LIST_DEAD_LETTERS ->
          Set.of(
              "tenant",
              "reason",
              "topic",
              "workflow",
              "fingerprint",
              "since",
              "open",
              "limit",
              "cursor");
      case GROUP_DEAD_LETTERS -> Set.of("tenant", "reason", "topic", "workflow", "since", "limit");
      case LIST_RUNS -> Set.of("tenant", "state", "workflow", "limit", "cursor");
      case LIST_WORKFLOWS -> Set.of("tenant", "deleted", "limit", "cursor");
      case LIST_BULKS -> Set.of("tenant", "limit", "cursor");
      case LIST_VERSIONS -> Set.of("tenant", "limit", "cursor");
      case LIST_WORKERS, LIST_POOLS, LIST_TOPICS, LIST_TENANTS, LIST_RECOVERIES, LIST_ALERTS ->
          Set.of("limit", "cursor");
      case FIND_TASK, FIND_RUN, FIND_BACKFILL, FIND_BULK -> Set.of("wait");
      case LIST_CHANGES -> Set.of("after", "limit", "wait");
      case FIND_WORKFLOW -> Set.of("tenant", "version");
      case PAUSE_WORKFLOW,
          RESUME_WORKFLOW,
          PAUSE_TRIGGER,
          RESUME_TRIGGER,
          ROLL_BACK_WORKFLOW,
          TRIGGER_RUN,
          START_BACKFILL ->
          Set.of("tenant");
      case LIST_SCHEDULES, LIST_BACKFILLS -> Set.of("tenant", "workflow", "limit", "cursor");
      case SHOW_SCHEDULE -> Set.of("tenant", "trigger", "past", "next");
      case LIST_FIRES -> Set.of("tenant", "trigger", "outcome", "limit", "cursor");
      case REGISTER_WORKFLOW, VALIDATE_WORKFLOW -> Set.of("file");
      case TASK_LOGS -> Set.of("attempt", "offset", "tail", "follow");
      case RECOVERY, LATENESS -> Set.of("window");
      case LIST_FINISHED_RUNS, LIST_FINISHED_TASKS -> Set.of("before", "limit", "cursor");
      default -> Set.of();
    };
  }

  /** Parses its body as JSON, unless it is empty. */
  boolean takesJson() {
    return switch (this) {
      case SUBMIT_TASKS,
          TRIGGER_RUN,
          START_BACKFILL,
          CANCEL_BACKFILL,
          START_BULK,
          SEND_EVENTS,
          RECEIVE_HOOK,
          TERMINATE_TASK,
          UNBLOCK_TASK,
          CLEAR_TASK,
          RETRY_TASK,
          MARK_TASK,
          SKIP_TASK,
          BLOCK_TASK,
          PRIORITIZE_TASK,
          NOTE_TASK,
          PURGE_DEAD_LETTERS,
          APPLY,
          PUT_POOL,
          PUT_TOPIC,
          PUT_TENANT,
          ROLL_BACK_WORKFLOW,
          REMOVE_FINISHED_RUNS,
          REMOVE_FINISHED_TASKS ->
          true;
      default -> false;
    };
  }

  /** Its body is workflow files, or holds them: they take more memory than their text. */
  boolean takesFiles() {
    return switch (this) {
      case REGISTER_WORKFLOW, VALIDATE_WORKFLOW, APPLY -> true;
      default -> false;
    };
  }

  /** Writes its answer piece by piece. */
  boolean streams() {
    return this == TASK_LOGS;
  }

  /** Reports facts in this process's memory and waits for nothing. */
  boolean isOfHealth() {
    return this == HEALTH || this == READY || this == MONITOR_HEALTH;
  }

  boolean needsDatabase() {
    return !WITHOUT_DATABASE.contains(this);
  }

  HttpResponse handle(Handlers api, Call call) {
    return switch (this) {
      case SUBMIT_TASKS -> api.tasks().submit(call);
      case LIST_TASKS -> api.tasks().list(call);
      case FIND_TASK -> api.tasks().find(call);
      case LIST_ATTEMPTS -> api.tasks().attempts(call);
      case TASK_HISTORY -> api.tasks().history(call);
      case TASK_LOGS -> api.logs().stream(call);
      case CANCEL_TASK -> api.tasks().cancel(call);
      case TERMINATE_TASK -> api.tasks().terminate(call);
      case UNBLOCK_TASK -> api.tasks().unblock(call);
      case CLEAR_TASK -> api.steer().clear(call);
      case RETRY_TASK -> api.steer().retry(call);
      case MARK_TASK -> api.steer().mark(call);
      case SKIP_TASK -> api.steer().skip(call);
      case BLOCK_TASK -> api.steer().block(call);
      case PRIORITIZE_TASK -> api.steer().prioritize(call);
      case NOTE_TASK -> api.tasks().note(call);
      case REGISTER_WORKFLOW -> api.workflows().register(call);
      case VALIDATE_WORKFLOW -> api.workflows().validate(call);
      case LIST_WORKFLOWS -> api.workflows().list(call);
      case FIND_WORKFLOW -> api.workflows().find(call);
      case LIST_VERSIONS -> api.workflows().versions(call);
      case ROLL_BACK_WORKFLOW -> api.workflows().rollBack(call);
      case PAUSE_WORKFLOW -> api.workflows().pause(call);
      case RESUME_WORKFLOW -> api.workflows().resume(call);
      case LIST_SCHEDULES -> api.schedules().list(call);
      case SHOW_SCHEDULE -> api.schedules().schedule(call);
      case LIST_FIRES -> api.schedules().fires(call);
      case PAUSE_TRIGGER -> api.schedules().pause(call);
      case RESUME_TRIGGER -> api.schedules().resume(call);
      case APPLY -> api.apply().apply(call);
      case FIND_SYSTEM -> api.apply().system();
      case LIST_POOLS -> api.system().pools(call);
      case FIND_POOL -> api.system().pool(call);
      case PUT_POOL -> api.system().putPool(call);
      case DELETE_POOL -> api.system().deletePool(call);
      case LIST_TOPICS -> api.system().topics(call);
      case FIND_TOPIC -> api.system().topic(call);
      case PUT_TOPIC -> api.system().putTopic(call);
      case DELETE_TOPIC -> api.system().deleteTopic(call);
      case LIST_TENANTS -> api.system().tenants(call);
      case FIND_TENANT -> api.system().tenant(call);
      case PUT_TENANT -> api.system().putTenant(call);
      case DELETE_TENANT -> api.system().deleteTenant(call);
      case TRIGGER_RUN -> api.runs().trigger(call);
      case LIST_RUNS -> api.runs().list(call);
      case FIND_RUN -> api.runs().find(call);
      case RUN_HISTORY -> api.runs().history(call);
      case CANCEL_RUN -> api.runs().cancel(call);
      case RETRY_RUN -> api.runs().retry(call);
      case START_BACKFILL -> api.backfills().start(call);
      case LIST_BACKFILLS -> api.backfills().list(call);
      case FIND_BACKFILL -> api.backfills().find(call);
      case PAUSE_BACKFILL -> api.backfills().pause(call);
      case RESUME_BACKFILL -> api.backfills().resume(call);
      case CANCEL_BACKFILL -> api.backfills().cancel(call);
      case START_BULK -> api.bulks().start(call);
      case LIST_BULKS -> api.bulks().list(call);
      case FIND_BULK -> api.bulks().find(call);
      case CANCEL_BULK -> api.bulks().cancel(call);
      case LIST_DEAD_LETTERS -> api.deadLetters().list(call);
      case GROUP_DEAD_LETTERS -> api.deadLetters().groups(call);
      case FIND_DEAD_LETTER -> api.deadLetters().find(call);
      case RETRY_DEAD_LETTER -> api.deadLetters().retry(call);
      case PURGE_DEAD_LETTERS -> api.deadLetters().purge(call);
      case LIST_CHAINS -> api.events().chains(call);
      case SEND_EVENTS -> api.events().send(call);
      case LIST_EVENTS -> api.events().list(call);
      case FIND_EVENT -> api.events().find(call);
      case RECEIVE_HOOK -> api.hooks().receive(call);
      case LIST_WORKERS -> api.server().workers(call);
      case REMOVE_WORKER -> api.server().removeWorker(call);
      case REVOKE_WORKER -> api.server().revokeWorker(call);
      case ALLOW_WORKER -> api.server().allowWorker(call);
      case TRUST_WORKER -> api.server().trustWorker(call);
      case RECOVERY -> api.recovery().summary(call);
      case LIST_RECOVERIES -> api.recovery().events(call);
      case LATENESS -> api.recovery().lateness(call);
      case LIST_ALERTS -> api.recovery().alerts(call);
      case LIST_FINISHED_RUNS -> api.archive().list(Kind.RUN, call);
      case LIST_FINISHED_TASKS -> api.archive().list(Kind.TASK, call);
      case REMOVE_FINISHED_RUNS -> api.archive().remove(Kind.RUN, call);
      case REMOVE_FINISHED_TASKS -> api.archive().remove(Kind.TASK, call);
      case LIST_CHANGES -> api.changes().list(call);
      case SCHEMA -> api.server().schema();
      case CONFIG -> api.server().config();
      case INFO -> api.server().info();
      case HEALTH -> api.server().health();
      case READY -> api.server().ready();
      case MONITOR_HEALTH -> api.server().monitorHealth();
      case METRICS -> api.server().metrics();
    };
  }

  /** The methods that a path supports. */
  static Set<HttpMethod> methodsOf(String path) {
    var methods = EnumSet.noneOf(HttpMethod.class);
    Arrays.stream(values())
        .filter(route -> route.matches.matcher(path).matches())
        .forEach(route -> methods.add(route.method));
    return methods;
  }

  /** The handlers, by the kind of thing they handle. */
  record Handlers(
      TaskHandlers tasks,
      SteerHandlers steer,
      LogHandlers logs,
      WorkflowHandlers workflows,
      ScheduleHandlers schedules,
      ApplyHandlers apply,
      SystemHandlers system,
      RunHandlers runs,
      BackfillHandlers backfills,
      BulkHandlers bulks,
      DeadLetterHandlers deadLetters,
      EventHandlers events,
      HookHandlers hooks,
      RecoveryHandlers recovery,
      ArchiveHandlers archive,
      ChangeHandlers changes,
      ServerHandlers server) {}
}
