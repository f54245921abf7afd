package dev.belay.workflow;

import static dev.belay.workflow.FileKey.optional;
import static dev.belay.workflow.FileKey.required;
import static dev.belay.workflow.FileKey.reserved;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.Unique;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Shape.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The table of every key of workflow files and requests: the only definition of valid keys. */
final class Keys {

  static final int NAME_CHARS_MAX = 100;
  static final int TEXT_CHARS_MAX = 4_000;

  /** Linux refuses a single argument or variable of 128 KiB or more. */
  static final int ARGUMENT_CHARS_MAX = 100_000;

  static final int SCRIPT_CHARS_MAX = 256_000;
  static final int ARGUMENTS_MAX = 1_000;
  static final int ENV_MAX = 200;
  static final int LABELS_MAX = 50;
  static final int PARAMS_MAX = 200;
  static final int ENUM_VALUES_MAX = 1_000;
  static final int RETRIES_MAX = 1_000;
  static final int EXIT_CODES_MAX = 255;

  /** It is compiled and evaluated while a result is written. */
  static final int RETRY_IF_CHARS_MAX = 500;

  static final double FACTOR_MAX = 100;
  static final int VERSION = 1;

  /** The kinds of work; a task has exactly one. */
  static final List<String> ACTIONS =
      List.of("command", "script", "http", "java", "container", "workflow", "wait");

  private static final Set<String> NOT_IN_DEFAULTS =
      Set.of("name", "command", "script", "wait", "depends_on", "when");

  private static final Set<String> NOT_IN_SUBMITS = Set.of("depends_on", "trigger_rule", "when");

  private static final Set<String> ONLY_IN_SUBMITS = Set.of("delay", "run_at", "unique");

  private static final Shape NAME = new Shape.Text(Rule.NAME, NAME_CHARS_MAX);
  private static final Shape TEMPLATE = new Shape.Text(Rule.TEMPLATE, ARGUMENT_CHARS_MAX);
  private static final Shape RETRIES = new Shape.Whole(0, RETRIES_MAX);
  private static final Shape SPAN = new Shape.Span(Duration.ZERO);

  private static final Shape.Fields BACKOFF =
      new Shape.Fields(
          "'backoff'",
          List.of(
              optional("initial", SPAN, "The wait before the first retry (default 10s)."),
              optional(
                  "factor",
                  new Shape.Decimal(1, FACTOR_MAX),
                  "Each further wait is this many times longer (default 2)."),
              optional("max", SPAN, "No wait is longer than this (default 5m)."),
              optional(
                  "jitter",
                  new Shape.Flag(),
                  "Draw the wait at random from its upper half (default true).")),
          "{initial: 10s, factor: 2, max: 5m}");

  private static final Shape.Fields RETRY_ON =
      new Shape.Fields(
          "'on'",
          List.of(
              optional(
                  "lost",
                  new Shape.Fields(
                      "'lost'",
                      List.of(
                          required(
                              "max", RETRIES, "Retries after the worker was lost (default 3).")),
                      "{max: 3}"),
                  "When the worker was lost."),
              optional(
                  "crash",
                  new Shape.Fields(
                      "'crash'",
                      List.of(
                          required(
                              "max",
                              RETRIES,
                              "Retries after a signal killed it, or its machine rebooted"
                                  + " (default 5).")),
                      "{max: 5}"),
                  "When the task's process was killed."),
              optional(
                  "unavailable",
                  new Shape.Fields(
                      "'unavailable'",
                      List.of(
                          required(
                              "max",
                              RETRIES,
                              "Retries after an exit code that means 'unavailable' (default 5);"
                                  + " then the task is BLOCKED.")),
                      "{max: 5}"),
                  "When what the task needs was out of reach.")),
          "{lost: {max: 3}, crash: {max: 5}, unavailable: {max: 5}}");

  private static final Shape.Fields RETRY =
      new Shape.Fields(
          "'retry'",
          List.of(
              optional("max", RETRIES, "Retries after an error of the task itself (default 0)."),
              optional("backoff", BACKOFF, "How long to wait between attempts."),
              optional("on", RETRY_ON, "Retries that are counted apart, by reason."),
              optional(
                  "if",
                  new Shape.Text(Rule.TEMPLATE, RETRY_IF_CHARS_MAX),
                  "One boolean expression over exit_code, reason, attempt and category; false"
                      + " means no retry.")),
          "{max: 3, backoff: {initial: 10s}}");

  private static final Shape.Fields WAIT =
      new Shape.Fields(
          "'wait'",
          List.of(
              optional("for", SPAN, "How long, from the time when the task is ready."),
              optional(
                  "until",
                  new Shape.Text(Rule.TEMPLATE, TEXT_CHARS_MAX),
                  "A time with its zone; expressions allowed.")),
          "{for: 10m}");

  private static final Shape.Fields UNIQUE =
      new Shape.Fields(
          "'unique'",
          List.of(
              required(
                  "key", new Shape.Text(Rule.FREE, Unique.KEY_CHARS_MAX), "Unique in the tenant."),
              optional(
                  "while",
                  new Shape.ShortOrLong(
                      new Shape.Word(
                          List.of(Unique.Scope.QUEUED.word(), Unique.Scope.UNFINISHED.word())),
                      new Shape.Fields(
                          "'while'",
                          List.of(
                              required(
                                  "for",
                                  new Shape.Span(Duration.ofMillis(1), Unique.TIME_MAX),
                                  "How long from the submit.")),
                          "{for: 1h}")),
                  "How long the task holds the key (default unfinished)."),
              optional(
                  "on_conflict",
                  new Shape.Word(words(Unique.OnConflict.values())),
                  "What a submit does when another task holds the key (default reject).")),
          "{key: daily-report, while: unfinished, on_conflict: existing}");

  private static final List<FileKey> TASK_KEYS =
      List.of(
          optional("name", NAME, "Unique in the workflow."),
          optional(
              "command",
              new Shape.Items(TEMPLATE, 1, ARGUMENTS_MAX, "[program, argument]"),
              "A program and its arguments, without a shell; expressions allowed."),
          optional(
              "script",
              new Shape.Text(Rule.FREE, SCRIPT_CHARS_MAX),
              "Run by its '#!' line, else by /bin/sh -e; no expressions, pass values by env."),
          reserved("http", "Call a URL."),
          reserved("java", "Run a Java class in the worker."),
          reserved("container", "Run a container."),
          reserved("workflow", "Run another workflow."),
          optional("wait", WAIT, "Wait for a time, without a worker."),
          optional(
              "depends_on",
              new Shape.Items(NAME, 0, WorkflowSpec.TASKS_MAX, "[extract]"),
              "The tasks that must end before this one."),
          optional(
              "trigger_rule",
              new Shape.Word(Arrays.stream(TriggerRule.values()).map(TriggerRule::word).toList()),
              "How the tasks before it must have ended (default all_success)."),
          optional("when", TEMPLATE, "One boolean expression; false skips the task."),
          reserved("for_each", "One task for each item of a list."),
          optional(
              "env",
              new Shape.Entries(
                  Rule.ENV_NAME,
                  new Shape.OrLater(TEMPLATE, List.of("secret", "output")),
                  ENV_MAX,
                  "{NAME: value}"),
              "Environment variables; expressions allowed."),
          reserved("outputs", "Values that the task hands on."),
          optional("retry", RETRY, "How often and when the task is tried again."),
          optional(
              "exit_codes",
              new Shape.Entries(
                  Rule.EXIT_CODE,
                  new Shape.Word(words(RunPolicy.ExitMeaning.values())),
                  EXIT_CODES_MAX,
                  "{99: skipped, 42: fatal, 75: unavailable}"),
              "What an exit code means if not an ordinary error (99 = skipped is always there)."),
          optional(
              "execution_timeout",
              new Shape.Span(Duration.ofMillis(1)),
              "An attempt that runs longer is ended."),
          optional(
              "deadline",
              new Shape.Span(Duration.ofMillis(1)),
              "The task must have ended this long after the run started."),
          optional(
              "priority",
              new Shape.Whole(TaskSpec.PRIORITY_MIN, TaskSpec.PRIORITY_MAX),
              "Larger goes first (default 50)."),
          optional("pool", NAME, "Which workers may run it (default 'default')."),
          optional(
              "topic",
              QueueKeys.TOPIC,
              "Any pool of this topic may run it; with 'pool', that one of them."),
          optional("requires", QueueKeys.REQUIRES, "What its pool or its worker must have."),
          optional(
              "slots",
              new Shape.Whole(1, Size.SLOTS_MAX),
              "How many slots of its worker it takes (default 1)."),
          optional("resources", QueueKeys.RESOURCES, "What it takes of its worker's machine."),
          optional(
              "labels",
              new Shape.Entries(
                  Rule.LABEL_NAME,
                  new Shape.Text(Rule.FREE, TEXT_CHARS_MAX),
                  LABELS_MAX,
                  "{team: data}"),
              "Words to find the task by; some of them say where it may run."),
          optional(
              "concurrency",
              QueueKeys.CONCURRENCY,
              "How many tasks of the tenant with one key may hold a worker at a time."),
          optional("unique", UNIQUE, "What happens to a second task with the same key."),
          optional(
              "rate_limit",
              QueueKeys.RATE_LIMIT,
              "How many attempts of the tenant's tasks with one key may start in a time."),
          optional(
              "fencing",
              new Shape.Word(words(RunPolicy.Fencing.values())),
              "How surely a lost attempt has ended before the next starts (default token)."),
          optional(
              "on_worker_lost",
              new Shape.Word(words(RunPolicy.OnWorkerLost.values())),
              "Retry or fail when the worker was lost (default retry)."),
          reserved("preemptible", "May be stopped for more important work."),
          reserved("cost_limit", "Ends the task when it has cost more."),
          reserved("max_active_time", "How long all its attempts may run together."),
          optional(
              "stall_timeout",
              new Shape.Span(RunPolicy.Stopping.STALL_TIMEOUT_MIN),
              "An attempt that writes no output for this long is ended."),
          optional(
              "stop_grace",
              new Shape.Span(Duration.ZERO, RunPolicy.Stopping.STOP_GRACE_MAX),
              "The time between SIGTERM and SIGKILL when it is stopped (default 5s)."),
          optional("delay", SPAN, "How long after its submit it becomes due."),
          optional("run_at", new Shape.Time(), "When it becomes due."),
          reserved("compensate", "Undoes the task when the run fails."),
          reserved("on_output", "What holds the outputs back."),
          reserved("files", "A code bundle for the workers."));

  static final Shape.Fields TASK =
      new Shape.Fields(
          "a task",
          taskKeys(ONLY_IN_SUBMITS, FileKey.Status.SUBMIT_ONLY).toList(),
          "{name: hello, command: [echo, hello]}");

  /** A task without a workflow, in the body of a request. */
  static final Shape.Fields SUBMITTED_TASK =
      new Shape.Fields(
          "a task",
          Stream.concat(
                  taskKeys(NOT_IN_SUBMITS, FileKey.Status.WORKFLOW_ONLY),
                  Stream.of(
                      optional("tenant", NAME, "Whose it is (default 'default')."),
                      optional("idempotency_key", new Shape.AnyJson(), "The API judges it.")))
              .toList(),
          "{\"command\": [\"echo\", \"hello\"]}");

  private static final Shape.Fields DEFAULTS =
      new Shape.Fields(
          "'defaults'",
          taskKeys(NOT_IN_DEFAULTS, FileKey.Status.TASK_ONLY)
              .map(key -> with(key, ONLY_IN_SUBMITS, FileKey.Status.SUBMIT_ONLY))
              .toList(),
          "{pool: default, retry: {max: 2}}");

  private static final Shape.Fields PARAM =
      new Shape.Fields(
          "a parameter",
          List.of(
              required("type", new Shape.Word(words(ParamSpec.Type.values())), "Its type."),
              optional(
                  "default",
                  new Shape.AnyJson(),
                  "Used when the run gives none; may be an expression over 'run'."),
              optional(
                  "values",
                  new Shape.Items(
                      new Shape.Text(Rule.FREE, TEXT_CHARS_MAX),
                      1,
                      ENUM_VALUES_MAX,
                      "[full, daily]"),
                  "The allowed values of an enum.")),
          "{type: string, default: hello}");

  static final Shape.Fields RUN =
      new Shape.Fields(
          "'run'",
          List.of(
              optional(
                  "max_active",
                  new Shape.Whole(1, RunLimits.MAX_ACTIVE_MAX),
                  "How many runs may be RUNNING at a time (default: no limit)."),
              optional(
                  "overlap",
                  new Shape.Word(words(RunLimits.Overlap.values())),
                  "What a trigger does when 'max_active' is reached (default queue)."),
              optional(
                  "timeout",
                  new Shape.Span(Duration.ofMillis(1)),
                  "A run that is RUNNING for longer is ended."),
              optional(
                  "deadline",
                  new Shape.Span(Duration.ofMillis(1)),
                  "Alerts when a run has not ended this long after it was created."),
              optional(
                  "expect_by",
                  new Shape.DailyTime(),
                  "Alerts when no run has succeeded by this time of the day."),
              optional(
                  "max_tasks",
                  new Shape.Whole(1, RunLimits.MAX_TASKS_MAX),
                  "How many tasks of all its runs may hold a worker at a time (default: no"
                      + " limit)."),
              reserved("cost_limit", "Ends the run when its tasks have cost more.")),
          "{max_active: 1}");

  static final Shape.Fields FILE =
      new Shape.Fields(
          "a workflow",
          List.of(
              optional("version", new Shape.Whole(VERSION, VERSION), "The version of this format."),
              optional("kind", new Shape.Word(List.of("workflow")), "What the file describes."),
              optional("name", NAME, "Unique in its tenant."),
              optional("tenant", NAME, "Whose it is (default 'default')."),
              optional("description", new Shape.Text(Rule.FREE, TEXT_CHARS_MAX), "What it is for."),
              optional(
                  "params",
                  new Shape.Entries(Rule.PARAM_NAME, PARAM, PARAMS_MAX, "{day: {type: date}}"),
                  "What a run may be given."),
              optional("defaults", DEFAULTS, "Merged into each task."),
              optional("triggers", TriggerKeys.LIST, "What starts its runs by itself."),
              optional("run", RUN, "Limits of its runs."),
              reserved("notify", "Who hears about its runs."),
              optional(
                  "tasks",
                  new Shape.Items(
                      TASK, 1, WorkflowSpec.TASKS_MAX, "[{name: hello, command: [echo, hello]}]"),
                  "The tasks; or 'task' for a single one."),
              optional("task", TASK, "The only task; or 'tasks' for several.")),
          "{name: hello, tasks: [...]}");

  /** The system file: what all workflows share. */
  static final Shape.Fields SYSTEM =
      new Shape.Fields(
          "the system file",
          List.of(
              required("kind", new Shape.Word(List.of(BelayFile.SYSTEM_KIND)), "Always 'system'."),
              optional("version", new Shape.Whole(VERSION, VERSION), "The version of this format."),
              optional(
                  "pools",
                  new Shape.Entries(
                      Rule.NAME,
                      SystemKeys.POOL,
                      SystemKeys.POOLS_MAX,
                      "{gpu: {description: GPUs}}"),
                  "The pools of workers that tasks may name."),
              optional(
                  "topics",
                  new Shape.Entries(
                      Rule.TOPIC,
                      SystemKeys.TOPIC,
                      SystemKeys.TOPICS_MAX,
                      "{etl.load: {pools: [default]}}"),
                  "Kinds of work, and the pools that may do them."),
              optional(
                  "tenants",
                  new Shape.Entries(
                      Rule.NAME,
                      SystemKeys.TENANT,
                      SystemKeys.TENANTS_MAX,
                      "{data: {weight: 2, max_running: 100}}"),
                  "Who shares this Belay, with their shares and limits."),
              optional(
                  "calendars",
                  CalendarsReader.ALL,
                  "Days on which the triggers that name them do not fire."),
              reserved("webhooks", "Where notices go.")),
          "{kind: system, pools: {...}}");

  private Keys() {}

  /** What a workflow has for a key that only submitted tasks have. */
  static String insteadOf(String onlyInSubmits) {
    return onlyInSubmits.equals("unique")
        ? "'run.max_active' and 'run.overlap' keep runs from piling up"
        : "let the task depend on one with 'wait'";
  }

  private static Stream<FileKey> taskKeys(Set<String> misplaced, FileKey.Status status) {
    return TASK_KEYS.stream().map(key -> with(key, misplaced, status));
  }

  private static FileKey with(FileKey key, Set<String> misplaced, FileKey.Status status) {
    return misplaced.contains(key.name()) ? key.with(status) : key;
  }

  static List<String> words(Enum<?>[] values) {
    return Stream.of(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
  }
}
