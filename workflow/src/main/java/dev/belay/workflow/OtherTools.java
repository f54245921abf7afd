package dev.belay.workflow;

import java.util.List;
import java.util.Optional;

/** The words of other schedulers and their equivalents here, in one table. */
final class OtherTools {

  private static final String FILE = "a workflow";
  private static final String TASK = "a task";
  private static final String DEFAULTS = "'defaults'";
  private static final String RUN = "'run'";
  private static final String TRIGGER = "a trigger";
  private static final String RETRY = "'retry'";
  private static final String BACKOFF = "'backoff'";
  private static final String PARAM = "a parameter";

  /**
   * A word of another tool.
   *
   * @param places where people write it
   * @param ours the equivalent key
   * @param write what to write instead
   */
  record Foreign(List<String> places, List<String> words, String ours, String write) {}

  static final List<Foreign> KEYS =
      List.of(
          in(
              FILE,
              "triggers",
              "write 'triggers: [{cron: \"0 2 * * *\"}]'",
              "schedule",
              "schedules",
              "schedule_interval",
              "cron",
              "timetable",
              "on"),
          in(FILE, "name", "write 'name'", "dag_id", "id", "workflow", "pipeline", "job"),
          in(
              FILE,
              "tasks",
              "write 'tasks', a list",
              "jobs",
              "steps",
              "stages",
              "dag",
              "nodes",
              "templates",
              "actions"),
          in(FILE, "defaults", "write 'defaults'", "default_args", "default"),
          in(
              FILE,
              "params",
              "write 'params: {day: {type: date}}'",
              "parameters",
              "inputs",
              "arguments",
              "vars",
              "variables"),
          in(
              FILE,
              "run",
              "write 'run: {max_active: 1}'",
              "max_active_runs",
              "max_active",
              "concurrency",
              "parallelism"),
          in(
              FILE,
              "defaults",
              "write 'defaults: {retry: {max: 3}}', or 'retry' in a task",
              "retries",
              "retry",
              "max_retries"),
          in(
              FILE,
              "defaults",
              "write 'defaults: {execution_timeout: 10m}', or 'execution_timeout' in a task",
              "timeout",
              "execution_timeout",
              "dagrun_timeout",
              "timeout_seconds"),
          in(
              FILE,
              "defaults",
              "write 'defaults: {env: {NAME: value}}', or 'env' in a task",
              "env",
              "environment"),
          in(
              List.of(TASK, DEFAULTS),
              "retry",
              "write 'retry: {max: 3}'",
              "retries",
              "max_retries",
              "retry_count",
              "attempts",
              "max_attempts",
              "retry_policy"),
          in(
              List.of(TASK, DEFAULTS),
              "retry",
              "write 'retry: {backoff: {initial: 10s}}'",
              "retry_delay",
              "retry_delay_seconds",
              "retry_interval",
              "backoff",
              "retry_exponential_backoff"),
          in(
              List.of(TASK, DEFAULTS),
              "execution_timeout",
              "write 'execution_timeout: 10m'",
              "timeout",
              "timeout_seconds",
              "timeoutSeconds",
              "timeout_minutes",
              "timeout-minutes",
              "activeDeadlineSeconds",
              "time_limit"),
          in(
              List.of(TASK, DEFAULTS),
              "stop_grace",
              "write 'stop_grace: 30s'",
              "terminationGracePeriodSeconds",
              "termination_grace_period",
              "kill_timeout",
              "killed_task_cleanup_time",
              "grace_period",
              "stop_grace_period",
              "stop_timeout",
              "stopwaitsecs",
              "TimeoutStopSec"),
          in(
              List.of(TASK, DEFAULTS),
              "stall_timeout",
              "write 'stall_timeout: 10m', which counts output as a sign of life",
              "heartbeat_timeout",
              "heartbeatTimeout",
              "heartbeat_timeout_seconds",
              "progress_timeout",
              "progress_deadline",
              "idle_timeout",
              "no_output_timeout",
              "WatchdogSec"),
          in(
              List.of(TASK, DEFAULTS),
              "env",
              "write 'env: {NAME: value}'",
              "environment",
              "env_vars",
              "variables"),
          in(List.of(TASK, DEFAULTS), "pool", "write 'pool'", "queue", "runs-on", "runs_on"),
          in(List.of(TASK, DEFAULTS), "priority", "write 'priority: 50'", "priority_weight"),
          in(List.of(TASK, DEFAULTS), "labels", "write 'labels: {team: data}'", "tags"),
          in(
              TASK,
              "depends_on",
              "write 'depends_on: [other]'",
              "depends",
              "dependsOn",
              "dependencies",
              "needs",
              "upstream",
              "upstreams",
              "upstream_tasks",
              "after",
              "parents"),
          in(
              TASK,
              "command",
              "write 'command: [program, argument]', or 'script' for shell lines",
              "cmd",
              "run",
              "exec",
              "entrypoint",
              "args",
              "arguments",
              "program",
              "executable"),
          in(
              TASK,
              "script",
              "write 'script: |' and the lines below it",
              "bash",
              "bash_command",
              "shell",
              "sh",
              "commands",
              "python",
              "inline"),
          in(
              TASK,
              "container",
              "'container' is reserved, not supported yet; run it by 'command'",
              "image",
              "docker",
              "docker_image"),
          in(TASK, "name", "write 'name'", "task_id", "id", "task", "task_key", "key", "step"),
          in(TASK, "when", "write 'when: \"${{ ... }}\"'", "if", "condition", "only", "unless"),
          in(
              TASK,
              "for_each",
              "'for_each' is reserved, not supported yet",
              "foreach",
              "loop",
              "matrix",
              "with_items",
              "withItems"),
          in(
              TASK,
              "command",
              "a task has 'command', 'script' or 'wait' instead",
              "type",
              "operator",
              "plugin",
              "uses"),
          in(
              TASK,
              "triggers",
              "only a whole workflow has a schedule: write 'triggers' beside 'tasks'",
              "schedule",
              "cron"),
          in(
              RUN,
              "max_active",
              "write 'max_active: 1'",
              "max_active_runs",
              "concurrency",
              "max_concurrent",
              "max_parallel",
              "limit"),
          in(
              RUN,
              "overlap",
              "write 'overlap: skip' with 'max_active: 1'",
              "concurrency_policy",
              "concurrencyPolicy",
              "overlap_policy"),
          in(RUN, "timeout", "write 'timeout: 2h'", "dagrun_timeout", "execution_timeout"),
          in(
              RUN,
              "expect_by",
              "write 'expect_by: \"06:00 Europe/Berlin\"', or 'deadline: 2h'",
              "sla",
              "expected_by"),
          in(
              TRIGGER,
              "cron",
              "write 'cron: \"0 2 * * *\"'",
              "schedule",
              "schedule_interval",
              "expression",
              "crontab"),
          in(TRIGGER, "every", "write 'every: 15m'", "interval", "period", "rate", "fixed_rate"),
          in(
              TRIGGER,
              "timezone",
              "write 'timezone: Europe/Berlin'",
              "tz",
              "zone",
              "time_zone",
              "timeZone"),
          in(TRIGGER, "start", "write 'start'", "start_date", "startDate", "start_at", "from"),
          in(TRIGGER, "end", "write 'end'", "end_date", "endDate", "end_at", "until"),
          in(
              TRIGGER,
              "missed",
              "write 'missed: skip', 'missed: fire_once' or 'missed: fire_all'",
              "catchup",
              "catch_up",
              "misfire",
              "misfire_policy",
              "startingDeadlineSeconds"),
          in(TRIGGER, "at", "write 'at: \"2026-12-24T18:00:00\"'", "run_at", "date", "once"),
          in(TRIGGER, "when", "write 'when: \"${{ event.size > 0 }}\"'", "if", "filter"),
          in(
              TRIGGER,
              "params",
              "write 'params: {day: value}'",
              "parameters",
              "inputs",
              "arguments",
              "conf"),
          in(
              RETRY,
              "max",
              "write 'max', which counts the tries after the first",
              "attempts",
              "max_attempts",
              "maxAttempts",
              "limit",
              "count",
              "retries",
              "max_retries",
              "maximumAttempts",
              "times"),
          in(
              RETRY,
              "backoff",
              "write 'backoff: {initial: 10s}'",
              "delay",
              "interval",
              "wait",
              "initial",
              "initialInterval"),
          in(
              BACKOFF,
              "initial",
              "write 'initial: 10s'",
              "base",
              "delay",
              "min",
              "start",
              "duration",
              "initialInterval"),
          in(
              BACKOFF,
              "factor",
              "write 'factor: 2'",
              "multiplier",
              "rate",
              "exponent",
              "backoffCoefficient"),
          in(BACKOFF, "max", "write 'max: 5m'", "cap", "limit", "maxDuration", "maximumInterval"),
          in(PARAM, "values", "write 'values' with 'type: enum'", "choices", "options", "enum"),
          in(
              PARAM,
              "default",
              "leave it out: a parameter without a 'default' must be given",
              "required",
              "optional"));

  /** Values of 'type'. */
  static final List<Foreign> TYPES =
      List.of(
          type("int", "integer", "long", "number", "int64", "int32"),
          type("float", "double", "decimal", "real"),
          type("string", "str", "text", "varchar"),
          type("bool", "boolean", "flag"),
          type("datetime", "timestamp", "time", "date-time"),
          type("enum", "choice", "select", "option"),
          type("json", "object", "array", "list", "dict", "map"));

  private OtherTools() {}

  /** The equivalent of a key that is unknown at this place. */
  static Optional<Foreign> key(String where, String word) {
    return KEYS.stream()
        .filter(foreign -> foreign.places().contains(where) && foreign.words().contains(word))
        .findFirst();
  }

  /** The equivalent of a value of 'type'. */
  static Optional<String> type(String word) {
    return TYPES.stream()
        .filter(foreign -> foreign.words().contains(word))
        .map(Foreign::ours)
        .findFirst();
  }

  private static Foreign in(String place, String ours, String write, String... words) {
    return in(List.of(place), ours, write, words);
  }

  private static Foreign in(List<String> places, String ours, String write, String... words) {
    return new Foreign(places, List.of(words), ours, write);
  }

  private static Foreign type(String ours, String... words) {
    return new Foreign(List.of(PARAM), List.of(words), ours, ours);
  }
}
