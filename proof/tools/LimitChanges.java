import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Changes limits of a cluster and takes tasks and workers away, in a random order, while tasks
 * wait. Judges afterwards by the rows of all attempts: nothing started above a limit; and by looks
 * at the database meanwhile: no place stayed free for which a task waited.
 *
 * <p>java -cp LIB LimitChanges.java SEED SECONDS CLUSTER-FOLDER WORKERS-FOLDER WORKERS-JAVA
 *
 * <p>There is a pool for each kind of limit, so that what waits in it waits for that limit alone.
 */
final class LimitChanges {

  private static final int SLOTS = 10;
  private static final int LIMIT_MAX = 18;
  private static final int WAITING = 1_000;
  private static final int KEYS = 3;
  private static final int KEY_LIMIT = 4;
  private static final Duration BETWEEN = Duration.ofMillis(250);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration LOST_EVERY = Duration.ofSeconds(20);

  private enum Kind {
    POOL,
    TENANT,
    WORKFLOW,
    KEY;

    String pool() {
      return "of-" + name().toLowerCase();
    }
  }

  /**
   * @param most null means no limit
   * @param asked before the change was sent
   * @param answered after it; the limit before it counts until then
   */
  private record Limit(Integer most, Instant asked, Instant answered) {
    int places() {
      return most == null ? Integer.MAX_VALUE : most;
    }
  }

  private record Attempt(Instant from, Instant until) {}

  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Random random;
  private final Path folder;
  private final Path workersFolder;
  private final String workersJava;
  private final String url;
  private final String token;
  private final Map<Kind, List<Limit>> limits = new HashMap<>();
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Integer> done = new LinkedHashMap<>();
  private volatile boolean over;
  private volatile Process mortal;
  private Instant lostAt = Instant.now();
  private int versions;

  private LimitChanges(String[] args) throws IOException {
    random = new Random(Long.parseLong(args[0]));
    folder = Path.of(args[2]);
    workersFolder = Path.of(args[3]);
    workersJava = args[4];
    url = cluster().path("replicas").path(0).path("url").asText();
    token = Files.readString(folder.resolve("token")).strip();
  }

  public static void main(String[] args) throws Exception {
    new LimitChanges(args).run(Duration.ofSeconds(Long.parseLong(args[1])));
  }

  private void run(Duration howLong) throws Exception {
    var safe = workers("safe");
    mortal = workers("mortal");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(safe, mortal)));
    for (var kind : Kind.values()) {
      limits.put(kind, Collections.synchronizedList(new ArrayList<>()));
      change(kind, kind == Kind.KEY ? Integer.valueOf(KEYS * KEY_LIMIT) : Integer.valueOf(5));
    }
    try (var sql = connect()) {
      refill(sql);
      await(sql, "count(*) = 8 FROM worker WHERE state = 'CONNECTED'");
      Thread.sleep(2_000);
      var looks = Thread.ofPlatform().start(this::look);
      Instant end = Instant.now().plus(howLong);
      Instant refilled = Instant.now();
      while (Instant.now().isBefore(end)) {
        disturb(sql);
        if (Instant.now().isAfter(refilled.plus(SOON))) {
          refill(sql);
          refilled = Instant.now();
        }
        Thread.sleep(BETWEEN);
      }
      over = true;
      looks.join();
      sweep(sql);
    }
    System.out.println("done: " + done);
    violations.stream().limit(20).forEach(each -> System.out.println("VIOLATION: " + each));
    System.out.printf(
        "%d changes and losses, %d violations%n",
        done.values().stream().mapToInt(Integer::intValue).sum(), violations.size());
    System.exit(violations.isEmpty() ? 0 : 1);
  }

  // ---- what happens ----

  private void disturb(Connection sql) throws Exception {
    int dice = random.nextInt(16);
    if (dice < 5) {
      var kind = Kind.values()[random.nextInt(3)];
      Integer most = random.nextInt(6) == 0 ? null : Integer.valueOf(1 + random.nextInt(LIMIT_MAX));
      change(kind, most);
      count(most == null ? "limit removed" : "limit changed");
    } else if (dice < 9) {
      act(sql, "RUNNING", "terminate", "running killed");
    } else if (dice < 11) {
      act(sql, "SCHEDULED", "cancel", "queued cancelled");
    } else if (dice < 14) {
      act(sql, "CANCELLED", "retry", "retried");
    } else if (dice == 14) {
      var kind = Kind.values()[random.nextInt(4)];
      var body =
          "{\"kind\": \"cancel\", \"filter\": {\"tenant\": \"%s\", \"pool\": \"%s\", \"state\": [\"SCHEDULED\"], \"name\": \"n%d\"}}"
              .formatted(tenant(kind), kind.pool(), random.nextInt(10));
      if (send("POST", "/api/v1/bulk", "application/json", body)) {
        count("bulk cancelled");
      }
    } else if (Instant.now().isAfter(lostAt.plus(LOST_EVERY))) {
      lostAt = Instant.now();
      // While it is frozen it gets claims that it never starts.
      signal("-STOP", mortal);
      Thread.sleep(300);
      mortal.destroyForcibly();
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  Thread.sleep(4_000);
                  mortal = workers("mortal");
                } catch (IOException | InterruptedException e) {
                  violations.add("no new workers: " + e);
                }
              });
      count("workers killed");
    }
  }

  private void act(Connection sql, String state, String verb, String what) throws Exception {
    var kind = Kind.values()[random.nextInt(4)];
    var id =
        text(
            sql,
            "id FROM task WHERE state = '%s' AND pool = '%s' ORDER BY id OFFSET %d LIMIT 1"
                .formatted(state, kind.pool(), random.nextInt(5)));
    if (id != null && send("POST", "/api/v1/tasks/" + id + "/" + verb, "application/json", "{}")) {
      count(what);
    }
  }

  private void change(Kind kind, Integer most) throws Exception {
    Instant asked = Instant.now();
    boolean changed =
        switch (kind) {
          case POOL ->
              send(
                  "PUT",
                  "/api/v1/pools/" + kind.pool(),
                  "application/json",
                  most == null ? "{}" : "{\"slots\": " + most + "}");
          case TENANT ->
              send(
                  "PUT",
                  "/api/v1/tenants/" + tenant(kind),
                  "application/json",
                  most == null ? "{}" : "{\"max_running\": " + most + "}");
          case WORKFLOW -> send("POST", "/api/v1/workflows", "application/yaml", workflow(most));
          case KEY -> true;
        };
    if (!changed) {
      throw new IllegalStateException("the limit of " + kind + " cannot be changed");
    }
    limits.get(kind).add(new Limit(most, asked, Instant.now()));
  }

  private String workflow(Integer most) {
    var tasks =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    "  - {name: n%d-%d, command: [sleep, \"%s\"], pool: %s}"
                        .formatted(i % 10, i, seconds(), Kind.WORKFLOW.pool()))
            .collect(Collectors.joining("\n"));
    var limit = most == null ? "" : "run: {max_tasks: " + most + "}\n";
    return "name: limited\ndescription: version %d\n%stasks:\n%s\n"
        .formatted(++versions, limit, tasks);
  }

  private void refill(Connection sql) throws Exception {
    for (var kind : Kind.values()) {
      int waiting =
          Integer.parseInt(
              text(
                  sql,
                  "count(*) FROM task WHERE state = 'SCHEDULED' AND pool = '%s'"
                      .formatted(kind.pool())));
      if (waiting >= WAITING) {
        continue;
      }
      if (kind == Kind.WORKFLOW) {
        for (int run = 0; run < 3; run++) {
          send("POST", "/api/v1/workflows/limited/runs", "application/json", "{}");
        }
        continue;
      }
      var tasks =
          IntStream.range(0, WAITING / 2)
              .mapToObj(i -> task(kind, i))
              .collect(Collectors.joining(","));
      send("POST", "/api/v1/tasks", "application/json", "{\"tasks\": [" + tasks + "]}");
    }
  }

  private String task(Kind kind, int number) {
    var key =
        kind == Kind.KEY
            ? ", \"concurrency\": {\"key\": \"k%d\", \"limit\": %d}"
                .formatted(number % KEYS, KEY_LIMIT)
            : "";
    return "{\"name\": \"n%d\", \"command\": [\"sleep\", \"%s\"], \"tenant\": \"%s\", \"pool\": \"%s\"%s}"
        .formatted(number % 10, seconds(), tenant(kind), kind.pool(), key);
  }

  private static String tenant(Kind kind) {
    return kind == Kind.TENANT ? "limited" : "default";
  }

  private String seconds() {
    return "%.2f".formatted(1 + random.nextDouble());
  }

  // ---- never below ----

  private static final String HELD =
      """
      SELECT pool,
             count(*) FILTER (WHERE state IN ('DISPATCHED', 'RUNNING')),
             count(*) FILTER (WHERE state = 'SCHEDULED'
                              AND (not_before IS NULL OR not_before < now() - interval '1 s')
                              AND (lease_ends_at IS NULL OR lease_ends_at < now() - interval '1 s')),
             (SELECT coalesce(sum(slots - (SELECT count(*) FROM task AS held
                                           WHERE held.worker_id = worker.id
                                             AND held.state IN ('DISPATCHED', 'RUNNING'))), 0)
              FROM worker
              WHERE pools[1] = task.pool AND state = 'CONNECTED' AND trouble IS NULL
                AND connected_at < now() - interval '2 s' AND last_seen_at > now() - interval '2 s')
      FROM task
      WHERE state IN ('SCHEDULED', 'DISPATCHED', 'RUNNING')
      GROUP BY pool
      """;

  private void look() {
    Map<Kind, Instant> belowSince = new HashMap<>();
    try (var sql = connect();
        var query = sql.prepareStatement(HELD)) {
      while (!over) {
        Instant at = Instant.now();
        try (var rows = query.executeQuery()) {
          while (rows.next()) {
            var kind = Kind.valueOf(rows.getString(1).substring(3).toUpperCase());
            int least = least(kind, at);
            boolean below = rows.getInt(3) > 0 && rows.getInt(2) < least && rows.getInt(4) > 0;
            if (!below) {
              belowSince.remove(kind);
            } else if (at.isAfter(belowSince.computeIfAbsent(kind, any -> at).plus(SOON))) {
              violations.add(
                  "%s at %s: %d held, limit %s, %d wait, %d slots free, for more than 1 s"
                      .formatted(kind, at, rows.getInt(2), least, rows.getInt(3), rows.getInt(4)));
              belowSince.remove(kind);
            }
          }
        }
        Thread.sleep(LOOK_EVERY);
      }
    } catch (SQLException | InterruptedException e) {
      violations.add("the looks ended: " + e);
    }
  }

  /** The lowest limit of the last second: a higher one may still be on its way. */
  private int least(Kind kind, Instant at) {
    var all = List.copyOf(limits.get(kind));
    int least = all.getLast().places();
    for (int i = all.size() - 1; i > 0 && all.get(i).answered().plus(SOON).isAfter(at); i--) {
      least = Math.min(least, all.get(i - 1).places());
    }
    return least;
  }

  // ---- never above ----

  private void sweep(Connection sql) throws SQLException {
    Duration slowest = Duration.ZERO;
    for (var kind : Kind.values()) {
      int reached = 0;
      var attempts = attempts(sql, "task.pool = '" + kind.pool() + "'");
      for (var start : attempts) {
        long held = held(attempts, start);
        int now = limits.get(kind).getFirst().places();
        int justBefore = now;
        Instant answered = Instant.MIN;
        for (var limit : limits.get(kind)) {
          if (limit.asked().isBefore(start.from())) {
            boolean settled = limit.answered().plus(SOON).isBefore(start.from());
            justBefore = settled ? limit.places() : Math.max(justBefore, limit.places());
            now = limit.places();
            answered = limit.answered();
          }
        }
        if (held == now) {
          reached++;
        } else if (held > justBefore) {
          violations.add(
              "%s at %s: %d held, limit %d".formatted(kind, start.from(), held, justBefore));
        } else if (held > now && start.from().isAfter(answered)) {
          var late = Duration.between(answered, start.from());
          slowest = late.compareTo(slowest) > 0 ? late : slowest;
        }
      }
      System.out.printf(
          "%s: %d attempts, limit reached %d times%n", kind, attempts.size(), reached);
      if (reached == 0) {
        violations.add("the limit of " + kind + " was never reached");
      }
    }
    for (int key = 0; key < KEYS; key++) {
      var attempts =
          attempts(sql, "task_queue.spec -> 'concurrency' ->> 'key' = 'k%d'".formatted(key));
      attempts.stream()
          .filter(start -> held(attempts, start) > KEY_LIMIT)
          .forEach(start -> violations.add("a key has too many at " + start.from()));
    }
    System.out.printf(
        "a lower limit counted at the latest %d ms after its answer%n", slowest.toMillis());
  }

  /** Places that are taken when this attempt has its own. */
  private static long held(List<Attempt> attempts, Attempt start) {
    return attempts.stream()
        .filter(each -> !each.from().isAfter(start.from()) && each.until().isAfter(start.from()))
        .count();
  }

  private static List<Attempt> attempts(Connection sql, String where) throws SQLException {
    var attempts = new ArrayList<Attempt>();
    try (var statement = sql.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT attempt.dispatched_at, coalesce(attempt.ended_at, 'infinity') < 'infinity',"
                    + " attempt.ended_at FROM attempt JOIN task ON task.id = attempt.task_id"
                    + " JOIN task_queue ON task_queue.id = task.queue_id WHERE "
                    + where
                    + " ORDER BY 1")) {
      while (rows.next()) {
        attempts.add(
            new Attempt(
                rows.getTimestamp(1).toInstant(),
                rows.getBoolean(2) ? rows.getTimestamp(3).toInstant() : Instant.MAX));
      }
    }
    return attempts;
  }

  // ---- the cluster ----

  private Process workers(String name) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                workersJava,
                folder.toString(),
                workersFolder.resolve(name).toString()));
    for (var kind : Kind.values()) {
      command.add("%s-%s:%s:%d".formatted(name, kind.pool(), kind.pool(), SLOTS));
    }
    var log = workersFolder.resolve(name + ".log").toFile();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  private static void kill(Process... all) {
    for (var each : all) {
      each.destroyForcibly();
    }
  }

  private static void signal(String signal, Process process) throws Exception {
    new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor();
  }

  private void count(String what) {
    done.merge(what, 1, Integer::sum);
  }

  /** False when the state of the task does not allow it. */
  private boolean send(String method, String path, String type, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    int status = answer.statusCode();
    if (status >= 300 && status != 409 && status != 429) {
      throw new IllegalStateException(method + " " + path + ": " + status + " " + answer.body());
    }
    return status < 300;
  }

  private JsonNode cluster() throws IOException {
    return mapper.readTree(Files.readAllBytes(folder.resolve("cluster.json")));
  }

  private Connection connect() throws SQLException {
    try {
      var database = cluster().path("database");
      return DriverManager.getConnection(
          database.path("url").asText(),
          database.path("user").asText(),
          Files.readString(Path.of(database.path("password_file").asText())).strip());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(Connection sql, String query) throws SQLException {
    try (var statement = sql.createStatement();
        var rows = statement.executeQuery("SELECT " + query)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private static void await(Connection sql, String condition) throws Exception {
    for (int tries = 0; !"t".equals(text(sql, condition)); tries++) {
      if (tries > 600) {
        throw new IllegalStateException("not after a minute: " + condition);
      }
      Thread.sleep(100);
    }
  }
}
