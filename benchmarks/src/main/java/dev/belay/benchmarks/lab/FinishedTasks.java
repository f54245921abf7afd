package dev.belay.benchmarks.lab;

import dev.belay.store.Database;
import dev.belay.store.Migrations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/**
 * Fills an empty database with tasks that have ended, one every five milliseconds and the newest
 * now. A tenth belongs to runs of ten tasks, one in a hundred needed a second attempt, and about
 * one in a thousand failed.
 *
 * <p>It truncates each table and copies its rows in one transaction, before any server starts: so
 * PostgreSQL writes frozen rows and, with {@code wal_level = minimal}, no WAL.
 */
public final class FinishedTasks {

  public static final String WORKFLOW = "history";
  private static final int RUN_TASKS = 10;
  private static final int PER_RUN = 100;
  private static final int STEP_MS = 5;
  private static final int COPY_BYTES = 1 << 20;
  private static final int CHUNK_CHARS = 1 << 16;
  private static final String WORKER = "00000000-0000-7000-8000-000000000001";
  private static final String SESSION = "00000000-0000-7000-8000-000000000002";

  private final Address database;
  private final int count;
  private final long newestMs;

  private FinishedTasks(Address database, int count, long newestMs) {
    this.database = database;
    this.count = count;
    this.newestMs = newestMs;
  }

  /** A workflow like that of the filled runs. */
  public static String workflow() {
    var text = new StringBuilder("name: " + WORKFLOW + "\ntasks:\n");
    for (int i = 0; i < RUN_TASKS; i++) {
      text.append("  - {name: t").append(i).append(", command: [noop], pool: ");
      text.append(BelaySystem.POOL).append("}\n");
    }
    return text.toString();
  }

  /** Migrates the database, which no server uses, and fills it. */
  public static void fill(Address database, int count) throws Exception {
    Migrations.migrate(
        Database.forMigrations(database.jdbcUrl(), database.user(), database.password()));
    StoredWorkflow.insert(database, workflow());
    var tasks = new FinishedTasks(database, count, System.currentTimeMillis());
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (var done : threads.invokeAll(List.of(tasks.copyingTasks(), tasks.copyingTheRest()))) {
        done.get();
      }
    }
    database.execute("VACUUM (ANALYZE)");
  }

  private Callable<Boolean> copyingTasks() {
    return () -> {
      copy(
          "task (id, run_id, name, state, reason, end_reason, exit_code, created_by, fencing_token,"
              + " dispatch_id, created_at, state_since, dispatched_at, started_at, ended_at,"
              + " attempt_ended_at, worker_id, session_id, epoch, tenant, pool, priority)",
          this::task);
      return true;
    };
  }

  private Callable<Boolean> copyingTheRest() {
    return () -> {
      copy("task_payload (task_id, work, labels)", this::payload);
      copy(
          "past_attempt (task_id, number, generation, dispatch_id, worker_id, session_id, epoch,"
              + " dispatched_at, started_at, ended_at, end_reason, exit_code)",
          this::pastAttempt);
      copy(
          "step (task_id, attempt, from_state, to_state, reason, actor, dispatch_id, at)",
          this::steps);
      copy(
          "run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at,"
              + " created_by, started_at, ended_at)",
          this::run);
      copy("run_history (run_id, from_state, to_state, reason, actor, at)", this::runHistory);
      return true;
    };
  }

  /** Writes the rows of one task into a table, if it has any there. */
  private interface Rows {
    void write(CopyText text, long number);
  }

  private void copy(String target, Rows rows) throws SQLException, IOException {
    String table = target.substring(0, target.indexOf(' '));
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("TRUNCATE " + table);
      try (var copy =
          new PGCopyOutputStream(
              connection.unwrap(PGConnection.class),
              "COPY " + target + " FROM STDIN (FREEZE)",
              COPY_BYTES)) {
        var text = new CopyText();
        for (long number = 0; number < count; number++) {
          rows.write(text, number);
          if (text.length() > CHUNK_CHARS) {
            copy.write(text.take());
          }
        }
        copy.write(text.take());
      }
      connection.commit();
    }
  }

  private long millis(long number) {
    return newestMs - (count - number) * STEP_MS;
  }

  private static boolean isOfRun(long number) {
    return number % PER_RUN < RUN_TASKS;
  }

  private static boolean isRetried(long number) {
    return number % PER_RUN == 50;
  }

  /** One in a thousand, and the last task of one run in a hundred. */
  private static boolean isFailed(long number) {
    return number % 1_000 == 999 || number % (100 * PER_RUN) == RUN_TASKS - 1;
  }

  private void task(CopyText text, long number) {
    long ms = millis(number);
    boolean failed = isFailed(number);
    String reason = failed ? "exit_code: 1" : "exit_code: 0";
    text.id(ms, 0, number);
    if (isOfRun(number)) {
      runId(text, number);
      text.add("t").number(number % RUN_TASKS);
    } else {
      text.add(CopyText.NULL).tab().add("noop");
    }
    text.tab().add(failed ? "FAILED" : "SUCCEEDED").tab().add(reason).tab().add(reason).tab();
    text.add(failed ? "1" : "0").tab().add(isOfRun(number) ? CopyText.NULL : "bench").tab();
    text.add(isRetried(number) ? "2" : "1").tab().id(ms, 1, number);
    for (int i = 0; i < 6; i++) {
      text.time(ms).tab();
    }
    text.add(WORKER).tab().add(SESSION).add("\t1\tdefault\tbench\t50").line();
  }

  private void runId(CopyText text, long number) {
    long first = number - number % PER_RUN;
    text.id(millis(first), 2, first);
  }

  private void payload(CopyText text, long number) {
    text.id(millis(number), 0, number).add("{\"action\":{\"command\":[\"noop\"]}}\t{}").line();
  }

  private void pastAttempt(CopyText text, long number) {
    if (isRetried(number)) {
      long ms = millis(number);
      text.id(ms, 0, number).add("1\t1\t").id(ms, 3, number);
      text.add(WORKER).tab().add(SESSION).add("\t1\t").time(ms).tab().time(ms).tab().time(ms);
      text.add("\texit_code: 1\t1").line();
    }
  }

  private void steps(CopyText text, long number) {
    long ms = millis(number);
    if (isOfRun(number)) {
      text.id(ms, 0, number).add("0\t\\N\tSCHEDULED\tready\tplanner\t\\N\t").time(ms).line();
    }
    if (isRetried(number)) {
      text.id(ms, 0, number).add("1\tRUNNING\tPENDING\texit_code: 1\tworker\t");
      text.id(ms, 3, number).time(ms).line();
      text.id(ms, 0, number).add("1\tPENDING\tSCHEDULED\tdue\tscheduler\t\\N\t").time(ms).line();
    }
    if (isFailed(number)) {
      text.id(ms, 0, number).add(isRetried(number) ? "2" : "1");
      text.add("\tRUNNING\tFAILED\texit_code: 1\tworker\t").id(ms, 1, number).time(ms).line();
    }
  }

  private void run(CopyText text, long number) {
    if (number % PER_RUN == 0) {
      long ms = millis(number);
      runId(text, number);
      text.add("default\t").add(StoredWorkflow.ID).tab().add(WORKFLOW).tab();
      text.add(runState(number)).add("\t{}\t").time(ms).tab().time(ms).add("\tbench\t");
      text.time(ms).tab().time(ms).line();
    }
  }

  private static String runState(long number) {
    return isFailed(number + RUN_TASKS - 1) ? "FAILED" : "SUCCEEDED";
  }

  private void runHistory(CopyText text, long number) {
    if (number % PER_RUN == 0) {
      String state = runState(number);
      for (var step :
          List.of(
              "\\N\tQUEUED\ttriggered\tbench",
              "QUEUED\tRUNNING\tstarted\tplanner",
              "RUNNING\t" + state + "\tended\tplanner")) {
        runId(text, number);
        text.add(step).tab().time(millis(number)).line();
      }
    }
  }

  /** Rows in the text format of COPY. Makes times and ids without objects: there are millions. */
  private static final class CopyText {
    static final String NULL = "\\N";

    private static final String DIGITS = "0123456789abcdef";
    private static final int HEX_DIGITS = 12;

    private final StringBuilder text = new StringBuilder(2 * CHUNK_CHARS);
    private long second = -1;
    private String secondText = "";

    CopyText add(String value) {
      text.append(value);
      return this;
    }

    CopyText number(long value) {
      text.append(value);
      return this;
    }

    CopyText tab() {
      text.append('\t');
      return this;
    }

    void line() {
      text.append('\n');
    }

    /**
     * A version 7 UUID, with a tab.
     *
     * @param kind tells ids of different things apart
     */
    CopyText id(long ms, int kind, long number) {
      hex(ms);
      text.append("700").append(kind).append("8000");
      hex(number);
      return tab();
    }

    private void hex(long value) {
      for (int shift = (HEX_DIGITS - 1) * 4; shift >= 0; shift -= 4) {
        text.append(DIGITS.charAt((int) (value >>> shift & 15)));
      }
    }

    CopyText time(long ms) {
      if (ms / 1000 != second) {
        second = ms / 1000;
        String whole = Instant.ofEpochSecond(second).toString();
        secondText = whole.substring(0, whole.length() - 1) + '.';
      }
      text.append(secondText);
      int rest = (int) (ms % 1000);
      text.append((char) ('0' + rest / 100)).append((char) ('0' + rest / 10 % 10));
      text.append((char) ('0' + rest % 10)).append('Z');
      return this;
    }

    int length() {
      return text.length();
    }

    byte[] take() {
      byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
      text.setLength(0);
      return bytes;
    }
  }
}
