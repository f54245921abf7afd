import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.agent.Agent;
import dev.belay.agent.AgentBounds;
import dev.belay.agent.AgentSettings;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.session.wire.Offer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Follows the change feed of a cluster with two readers while tasks run, replicas are killed and a
 * write transaction stays open, and compares what they read with the history in the database.
 *
 * <p>java -cp LIB FeedReaders.java CHANGES BELAY CLUSTER-FOLDER
 */
final class FeedReaders {

  private static final int BATCH = 500;
  private static final int SLOTS = 1_000;
  private static final int IN_FLIGHT_MAX = 20_000;
  private static final Duration KILL_EVERY = Duration.ofSeconds(12);
  private static final int KILLS_MIN = 2;
  private static final Duration OPEN_FOR = Duration.ofSeconds(20);
  private static final Duration SETTLE_MAX = Duration.ofMinutes(10);

  /** Of a task that is not cancelled: submitted, claimed, ended. */
  private static final int CHANGES_MIN = 3;

  /** One in so many tasks fails each time, and another one is cancelled. */
  private static final int FAILS = 50;

  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(1))
          .build();
  private final long changes;
  private final String belay;
  private final Path folder;
  private final String token;
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean loaded;
  private volatile int kills;
  private volatile long heldBackMs;

  private FeedReaders(long changes, String belay, Path folder) throws IOException {
    this.changes = changes;
    this.belay = belay;
    this.folder = folder;
    this.token = Files.readString(folder.resolve("token")).strip();
  }

  public static void main(String[] args) throws Exception {
    var proof =
        new FeedReaders(Long.parseLong(args[0]), args[1], Path.of(args[2]).toAbsolutePath());
    String figure = proof.run();
    proof.violations.stream().limit(20).forEach(one -> System.out.println("VIOLATION: " + one));
    System.out.println(figure);
    System.exit(proof.violations.isEmpty() ? 0 : 1);
  }

  private String run() throws Exception {
    try (var sql = connect();
        var agent = agent()) {
      var one = new Reader(0);
      var two = new Reader(1);
      var readers = List.of(Thread.ofPlatform().start(one), Thread.ofPlatform().start(two));
      var loads =
          List.of(
              Thread.ofPlatform().start(() -> work(this::load)),
              Thread.ofPlatform().start(() -> work(this::runs)));
      var killer = Thread.ofPlatform().start(() -> work(this::kill));
      var held = Thread.ofPlatform().start(() -> work(() -> holdBack(one)));
      for (var thread : loads) {
        thread.join();
      }
      held.join();
      loaded = true;
      killer.join();
      await(
          "every task and run to end",
          () ->
              longOf(sql, "SELECT count(*) FROM task WHERE ended_at IS NULL") == 0
                  && longOf(sql, "SELECT count(*) FROM run WHERE ended_at IS NULL") == 0);
      long last = longOf(sql, "SELECT max(id) FROM feed");
      await("both readers to read batch " + last, () -> one.passed(last) && two.passed(last));
      one.done = true;
      two.done = true;
      for (var thread : readers) {
        thread.join();
      }
      return judge(sql, one, two);
    }
  }

  private String judge(Connection sql, Reader one, Reader two) throws Exception {
    check("changes read by the second reader", two.count, one.count);
    long stored = longOf(sql, "SELECT sum(cardinality(runs)) FROM feed");
    check("changes read and changes stored", one.count, stored);
    if (!one.digest().equals(two.digest())) {
      violations.add("the readers read different changes, or in another order");
    }
    if (one.count < changes) {
      violations.add("only " + one.count + " changes");
    }
    int folded = 0;
    for (var reader : List.of(one, two)) {
      folded = compare(sql, "SELECT task_id, to_state FROM history ORDER BY task_id, id", reader);
      compare(sql, "SELECT run_id, to_state FROM run_history ORDER BY run_id, id", reader);
      if (!reader.paths.isEmpty()) {
        violations.add(reader.paths.size() + " tasks are not in the history");
      }
    }
    return "%d changes of %d tasks and runs, read twice: each once, in the order of the history; %d starts were written with their ends; %d replicas killed, reading held back for %.1f s"
        .formatted(one.count, one.things, folded, kills, heldBackMs / 1000.0);
  }

  /** Removes the paths that are like the history; returns how many starts have no change. */
  private int compare(Connection sql, String history, Reader reader) throws SQLException {
    int folded = 0;
    sql.setAutoCommit(false);
    try (var statement = sql.createStatement()) {
      statement.setFetchSize(10_000);
      try (var rows = statement.executeQuery(history)) {
        String thing = "";
        var path = new ArrayList<String>();
        boolean more;
        do {
          more = rows.next();
          String next = more ? rows.getString(1) : "";
          if (!next.equals(thing) && !thing.isEmpty()) {
            folded += compare(thing, path, reader.paths.remove(thing));
            path.clear();
          }
          thing = next;
          if (more) {
            path.add(rows.getString(2));
          }
        } while (more);
      }
    } finally {
      sql.rollback();
      sql.setAutoCommit(true);
    }
    return folded;
  }

  private int compare(String thing, List<String> history, String read) {
    List<String> left = new ArrayList<>(List.of((read == null ? "" : read).split(" ")));
    int folded = 0;
    for (String state : history) {
      if (!left.isEmpty() && left.getFirst().equals(state)) {
        left.removeFirst();
      } else if (state.equals("RUNNING")) {
        folded++;
      } else {
        violations.add(thing + ": history " + history + ", read " + read);
        return folded;
      }
    }
    if (!left.isEmpty()) {
      violations.add(thing + ": history " + history + ", read " + read);
    }
    return folded;
  }

  // ---- the readers ----

  /** Reads from one replica after the other, and goes on with the same cursor. */
  private final class Reader implements Runnable {
    private final MessageDigest digest;
    private final Map<String, String> paths = new HashMap<>();
    private int replica;
    private String next = "1-0";
    private long lastBatch;
    private long lastIndex;
    private long things;
    private volatile long passed;
    volatile long count;
    volatile boolean done;

    Reader(int replica) {
      this.replica = replica;
      try {
        this.digest = MessageDigest.getInstance("SHA-256");
      } catch (java.security.NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    boolean passed(long batch) {
      return passed > batch;
    }

    String digest() {
      return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public void run() {
      work(
          () -> {
            while (!done) {
              read();
            }
          });
      things = paths.size();
    }

    private void read() throws InterruptedException {
      JsonNode answer;
      try {
        answer = get(replica, "/api/v1/changes?limit=500&wait=2s&after=" + next);
      } catch (IOException gone) {
        replica++;
        Thread.sleep(20);
        return;
      }
      if (answer.path("reset").asBoolean()) {
        violations.add("a reset at " + next);
        done = true;
      }
      answer.path("items").forEach(this::take);
      next = answer.path("next").asText();
      passed = Long.parseLong(next.substring(0, next.indexOf('-')));
      // Both replicas must give the same feed, so each read goes to the other one.
      replica++;
    }

    private void take(JsonNode change) {
      String id = change.path("id").asText();
      long batch = Long.parseLong(id.substring(0, id.indexOf('-')));
      long index = Long.parseLong(id.substring(id.indexOf('-') + 1));
      if (batch < lastBatch || (batch == lastBatch && index <= lastIndex)) {
        violations.add(id + " after " + lastBatch + "-" + lastIndex);
      }
      lastBatch = batch;
      lastIndex = index;
      String thing = change.path(change.path("kind").asText()).asText();
      String state = change.path("state").asText();
      digest.update((id + thing + state).getBytes(StandardCharsets.UTF_8));
      paths.merge(thing, state, (before, now) -> (before + " " + now).intern());
      count++;
    }
  }

  // ---- the load ----

  private Agent agent() throws Exception {
    var servers = new ArrayList<URI>();
    cluster().path("replicas").forEach(one -> servers.add(URI.create(one.path("url").asText())));
    var settings =
        new AgentSettings(
            "reader-proof",
            servers,
            folder.resolve("join-token"),
            folder.resolve("proof-worker"),
            new Offer(List.of("proof"), SLOTS, Map.of()),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            10L << 20,
            TaskAccount.SAME,
            ReserveSettings.defaults(),
            AgentBounds.defaults());
    return Agent.start(
        settings, dispatch -> Math.floorMod(dispatch.getTaskId().hashCode(), FAILS) == 0 ? 1 : 0);
  }

  private void load() throws Exception {
    var task =
        Map.of(
            "command",
            List.of("noop"),
            "pool",
            "proof",
            "retry",
            Map.of("max", 1, "backoff", Map.of("initial", "1s")));
    var body = mapper.writeValueAsString(Map.of("tasks", Collections.nCopies(BATCH, task)));
    try (var sql = connect()) {
      long tasks = (changes + changes / 50) / CHANGES_MIN;
      for (int batch = 0; batch <= tasks / BATCH; batch++) {
        while (longOf(sql, OPEN) > IN_FLIGHT_MAX) {
          Thread.sleep(100);
        }
        var submitted = post(batch, "/api/v1/tasks", body);
        var some = submitted.path("tasks").path(batch % BATCH).path("id").asText();
        try {
          send(batch, "/api/v1/tasks/" + some + "/cancel", "", UUID.randomUUID().toString());
        } catch (IOException gone) {
          // Whether it is cancelled or not, the history knows.
        }
      }
    }
  }

  private static final String OPEN = "SELECT count(*) FROM task WHERE state = 'SCHEDULED'";

  /** Some runs, too. */
  private void runs() throws Exception {
    var file =
        "{\"name\": \"chain\", \"defaults\": {\"pool\": \"proof\"}, \"tasks\": [{\"name\": \"a\","
            + " \"command\": [\"x\"]}, {\"name\": \"b\", \"command\": [\"x\"], \"depends_on\":"
            + " [\"a\"]}]}";
    post(0, "/api/v1/workflows", file);
    for (int i = 0; i < 200; i++) {
      post(i, "/api/v1/workflows/chain/runs", "{}");
      Thread.sleep(50);
    }
  }

  /** Sends it again, with the same key, until a replica has accepted it. */
  private JsonNode post(int replica, String path, String body) throws Exception {
    var key = UUID.randomUUID().toString();
    for (int tried = replica; ; tried++) {
      try {
        return send(tried, path, body, key);
      } catch (IOException gone) {
        Thread.sleep(50);
      }
    }
  }

  private JsonNode send(int replica, String path, String body, String key)
      throws IOException, InterruptedException {
    return answer(
        request(replica, path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private JsonNode get(int replica, String path) throws IOException, InterruptedException {
    return answer(request(replica, path).build());
  }

  private HttpRequest.Builder request(int replica, String path) throws IOException {
    var replicas = cluster().path("replicas");
    var url = replicas.path(replica % replicas.size()).path("url").asText();
    return HttpRequest.newBuilder(URI.create(url + path))
        .timeout(Duration.ofSeconds(15))
        .header("Authorization", "Bearer " + token);
  }

  private JsonNode answer(HttpRequest request) throws IOException, InterruptedException {
    var answer = http.send(request, BodyHandlers.ofString());
    // A cancel may come too late.
    if (answer.statusCode() >= 500 || answer.statusCode() == 409) {
      throw new IOException(answer.body());
    }
    if (answer.statusCode() >= 400) {
      throw new IllegalStateException("refused: " + answer.body());
    }
    return mapper.readTree(answer.body());
  }

  // ---- trouble ----

  private void kill() throws Exception {
    int replicas = cluster().path("replicas").size();
    for (int i = 0; !loaded || kills < KILLS_MIN; i++) {
      Thread.sleep(KILL_EVERY);
      var replica = cluster().path("replicas").path(i % replicas);
      long pid = replica.path("pid").asLong();
      run("kill", "-KILL", Long.toString(pid));
      kills++;
      await("the end of " + replica.path("name").asText(), () -> !isAlive(pid));
      var number = Integer.toString(i % replicas + 1);
      run(belay, "cluster", "start", "--dir", folder.toString(), "--replica", number);
    }
  }

  /**
   * A transaction that changes a task of its own, which draws an id of the feed, and commits it
   * late. Readers must wait for it, and read it once.
   */
  private void holdBack(Reader reader) throws Exception {
    await("the first changes", () -> reader.count > 1_000);
    try (var sql = connect();
        var statement = sql.createStatement()) {
      sql.setAutoCommit(false);
      var id = UUID.randomUUID();
      var row =
          statement.executeQuery(
              "WITH late AS (INSERT INTO task (id, tenant, name, state, priority, pool, reason,"
                  + " state_since, created_at, ended_at) VALUES ('"
                  + id
                  + "', 'default', 'late', 'CANCELLED', 50, 'proof', 'cancelled', now(), now(),"
                  + " now()) RETURNING id, run_id, state), steps AS (INSERT INTO step (task_id,"
                  + " attempt, to_state, reason, actor, at) SELECT id, 0, state, 'cancelled',"
                  + " 'proof', now() FROM late) INSERT INTO feed (tasks, runs, task_states) SELECT"
                  + " array_agg(id), array_agg(run_id), array_agg(state) FROM late RETURNING id");
      row.next();
      long drawn = row.getLong(1);
      long begun = System.nanoTime();
      Thread.sleep(OPEN_FOR);
      if (reader.passed(drawn)) {
        violations.add("a reader passed an open transaction");
      }
      sql.commit();
      heldBackMs = (System.nanoTime() - begun) / 1_000_000;
    }
  }

  /** A zombie is in the process table too, but it does not count as alive. */
  private static boolean isAlive(long pid) throws IOException {
    var stat = Path.of("/proc/" + pid + "/stat");
    return Files.exists(stat) && !Files.readString(stat).matches("(?s).*\\) [ZX] .*");
  }

  // ---- small things ----

  private interface Work {
    void run() throws Exception;
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void work(Work work) {
    try {
      work.run();
    } catch (Exception failed) {
      failed.printStackTrace(System.out);
      violations.add(failed.toString());
    }
  }

  private void await(String what, Condition condition) throws Exception {
    long end = System.nanoTime() + SETTLE_MAX.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end || violations.size() > 100) {
        throw new IllegalStateException("waited in vain for " + what + "; " + violations);
      }
      Thread.sleep(100);
    }
  }

  private void check(String what, long found, long wanted) {
    System.out.printf("%s: %d (%d wanted)%n", what, found, wanted);
    if (found != wanted) {
      violations.add(what + ": " + found + ", not " + wanted);
    }
  }

  private static void run(String... command) throws Exception {
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(String.join(" ", command) + " ended with " + status);
    }
  }

  private JsonNode cluster() throws IOException {
    return mapper.readTree(Files.readAllBytes(folder.resolve("cluster.json")));
  }

  private Connection connect() throws IOException, SQLException {
    var database = cluster().path("database");
    return DriverManager.getConnection(
        database.path("url").asText(),
        database.path("user").asText(),
        Files.readString(Path.of(database.path("password_file").asText())).strip());
  }

  private static long longOf(Connection sql, String query) throws SQLException {
    try (var row = sql.createStatement().executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
