package dev.belay.benchmarks.lab;

import dev.belay.benchmarks.worker.NoopWorker;
import dev.belay.cli.Main;
import dev.belay.cli.client.DataFolders;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server and optionally a worker, each in its own process, and a client in this one. */
public final class BelaySystem implements Contender {

  public static final String POOL = "bench";
  public static final String TASK = "{\"command\":[\"noop\"],\"pool\":\"" + POOL + "\"}";

  /** The worker's slots: enough that it never waits for tasks, like agents with many cores. */
  public static final int SLOTS = 2_000;

  /** The largest batch of one request. */
  public static final int BATCH = 1_000;

  /** Concurrent requests. */
  public static final int SUBMITTERS = 2;

  private static final Duration START_MAX = Duration.ofMinutes(5);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
  private static final Duration STALLED = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration LOOK_CLOSER = Duration.ofMillis(10);
  private static final int ROWS_OF_HISTORY = 4;

  /** The partial indexes on open tasks answer both halves. */
  private static final String OPEN =
      """
      SELECT (EXISTS (SELECT 1 FROM task WHERE state = 'SCHEDULED' AND pool = 'bench')
              OR EXISTS (SELECT 1 FROM task WHERE state IN ('DISPATCHED', 'RUNNING')))::int
      """;

  private final String name;
  private final Address database;
  private final Child server;
  private final long serverPid;
  private final Rest rest;
  private final @Nullable Child worker;

  private BelaySystem(
      String name,
      Address database,
      Child server,
      long serverPid,
      Rest rest,
      @Nullable Child worker) {
    this.name = name;
    this.database = database;
    this.server = server;
    this.serverPid = serverPid;
    this.rest = rest;
    this.worker = worker;
  }

  /**
   * @param jvm additional options of the server's JVM, for instance to profile
   * @param settings of the server, by name
   */
  public record ServerOptions(List<String> jvm, Map<String, String> settings) {}

  public static BelaySystem start(
      String name, Path parent, Address database, boolean withWorker, ServerOptions options)
      throws Exception {
    var folder = parent.resolve(name);
    if (!DataFolders.prepare(folder)) {
      throw new IOException(folder + " cannot be written");
    }
    var password = Files.writeString(folder.resolve("password"), database.password());
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("server", "--database-url", database.jdbcUrl()));
    arguments.addAll(List.of("--user", database.user(), "--password-file", password.toString()));
    arguments.addAll(List.of("--port", "0", "--dir", folder.resolve("server").toString()));
    options
        .settings()
        .forEach((setting, value) -> arguments.addAll(List.of("--set", setting + "=" + value)));
    var command = Java.command(Java.productClasspath(), options.jvm(), Main.class, arguments);
    var server = Child.start(name + "-server", folder, Child.endedWithInput(command), Map.of());
    try {
      long pid = Long.parseLong(server.line(START_MAX));
      var line = server.line(START_MAX);
      while (!line.contains("http://")) { // the JVM prints first, about a recording for example
        line = server.line(START_MAX);
      }
      var url = URI.create(line.replaceFirst(".*(http://[^;]*);.*", "$1"));
      var token = Files.readString(folder.resolve("server").resolve("token")).strip();
      var worker = withWorker ? worker(name, folder, url) : null;
      return new BelaySystem(name, database, server, pid, new Rest(url, token), worker);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static Child worker(String name, Path folder, URI url)
      throws IOException, InterruptedException {
    var command =
        Java.command(
            Java.ownClasspath(),
            List.of(),
            NoopWorker.class,
            List.of(
                url.toString(),
                folder.resolve("server").resolve("join-token").toString(),
                folder.resolve("worker").toString(),
                Integer.toString(SLOTS)));
    var worker = Child.start(name + "-worker", folder, command, Map.of());
    worker.ask("count", START_MAX);
    return worker;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int share(int tasks) {
    return tasks;
  }

  @Override
  public Map<String, Long> processes() {
    var processes = new LinkedHashMap<String, Long>();
    processes.put("server", serverPid);
    if (worker != null) {
      processes.put("worker", worker.pid());
    }
    processes.put("load", ProcessHandle.current().pid());
    return processes;
  }

  /** How many tasks a claim and a write of results take at once. */
  @Override
  public Map<String, Object> figures() throws IOException, InterruptedException {
    var metrics = rest.metrics();
    var figures = new LinkedHashMap<String, Object>();
    for (var batch : List.of("dispatch", "results")) {
      var sizes = new Buckets(metrics, "belay_" + batch + "_batch_size");
      figures.put(batch + "_batch_p50", sizes.percentile(0.5));
      figures.put(batch + "_batch_p99", sizes.percentile(0.99));
    }
    return figures;
  }

  public Rest rest() {
    return rest;
  }

  public long serverPid() {
    return serverPid;
  }

  public Address database() {
    return database;
  }

  /** Sends an order to the worker, which must be running. */
  public String askWorker(String order) throws IOException, InterruptedException {
    if (worker == null) {
      throw new IllegalStateException(name + " has no worker");
    }
    return worker.ask(order, ANSWER_MAX);
  }

  /** How many tasks the worker has run. */
  public long handled() throws IOException, InterruptedException {
    return Long.parseLong(askWorker("count"));
  }

  @Override
  public double run(int tasks) throws Exception {
    long before = handled();
    String newest = newest();
    long start = System.nanoTime();
    submit(tasks);
    awaitEnd(before + tasks);
    double seconds = (System.nanoTime() - start) / 1e9;
    check(tasks, newest);
    return seconds;
  }

  /** Waits until the worker has run so many tasks and the database shows no open one. */
  public void awaitEnd(long handled) throws SQLException, IOException, InterruptedException {
    awaitHandled(handled);
    awaitWritten();
  }

  /** Submits in bulk over a few connections; returns when all are accepted. */
  public void submit(int tasks) throws InterruptedException, ExecutionException {
    submit(tasks, TASK);
  }

  /**
   * @param task as JSON
   */
  public void submit(int tasks, String task) throws InterruptedException, ExecutionException {
    var left = new AtomicInteger(tasks);
    Callable<Integer> submitter =
        () -> {
          int requests = 0;
          byte[] whole = batch(BATCH, task);
          for (int taken = left.getAndAdd(-BATCH); taken > 0; taken = left.getAndAdd(-BATCH)) {
            rest.post("/tasks", "application/json", taken < BATCH ? batch(taken, task) : whole);
            requests++;
          }
          return requests;
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var done : threads.invokeAll(Collections.nCopies(SUBMITTERS, submitter))) {
        done.get();
      }
    }
  }

  /** The body of a request that submits so many tasks. */
  public static byte[] batch(int size, String task) {
    return ("{\"tasks\":[" + String.join(",", Collections.nCopies(size, task)) + "]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Polls the worker, which is free, until a database query is worthwhile. */
  private void awaitHandled(long wanted) throws IOException, InterruptedException {
    long seen = -1;
    long lastSeen = System.nanoTime();
    while (seen < wanted) {
      long now = handled();
      if (now > seen) {
        seen = now;
        lastSeen = System.nanoTime();
      } else if (System.nanoTime() - lastSeen > STALLED.toNanos()) {
        throw new IOException(name + " stands still at " + seen + " of " + wanted + " tasks");
      }
      Thread.sleep(LOOK);
    }
  }

  private void awaitWritten() throws SQLException, IOException, InterruptedException {
    long start = System.nanoTime();
    try (var connection = database.connect();
        var statement = connection.prepareStatement(OPEN)) {
      while (true) {
        try (var rows = statement.executeQuery()) {
          rows.next();
          if (rows.getInt(1) == 0) {
            return;
          }
        }
        if (System.nanoTime() - start > STALLED.toNanos()) {
          throw new IOException(name + " has run all tasks, and some are still open");
        }
        Thread.sleep(LOOK_CLOSER);
      }
    }
  }

  /** Ids rise, so the tasks of a run are those after the newest one before it. */
  private String newest() throws SQLException {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT id FROM task ORDER BY id DESC LIMIT 1")) {
      return rows.next() ? rows.getString(1) : "00000000-0000-0000-0000-000000000000";
    }
  }

  /** A rate counts only when every task was recorded completely. */
  private void check(int tasks, String newest) throws SQLException, IOException {
    String after = " > '" + newest + "'";
    long[] recorded = {
      database.number("SELECT count(*) FROM task WHERE state = 'SUCCEEDED' AND id" + after),
      database.number("SELECT count(*) FROM attempt WHERE task_id" + after),
      database.number("SELECT count(*) FROM history WHERE task_id" + after)
    };
    long[] wanted = {tasks, tasks, (long) ROWS_OF_HISTORY * tasks};
    if (!Arrays.equals(recorded, wanted)) {
      throw new IOException(
          "tasks succeeded, attempts and rows of history are %s and should be %s"
              .formatted(Arrays.toString(recorded), Arrays.toString(wanted)));
    }
  }

  @Override
  public void close() {
    rest.close();
    if (worker != null) {
      worker.close();
    }
    server.close();
  }
}
