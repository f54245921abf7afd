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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Sends a stream of small tasks through a cluster of `belay cluster`, kills, freezes or stops its
 * leader meanwhile, and compares the records at the end. Each task appends its id and fencing token
 * to one file, so that the comparison does not rely on Belay alone.
 *
 * <p>java -cp LIB Failover.java killed|stopped|frozen ROUNDS BELAY CLUSTER-FOLDER
 */
final class Failover {

  private static final Duration BATCH_EVERY = Duration.ofMillis(250);
  private static final int BATCH = 10;
  private static final Duration KILLED_MAX = Duration.ofSeconds(3);
  private static final Duration STOPPED_MAX = Duration.ofSeconds(1);
  private static final Duration FROZEN_MAX = Duration.ofSeconds(12);
  private static final Duration FROZEN_FOR = Duration.ofSeconds(20);
  private static final Duration WATCH_MAX = Duration.ofSeconds(30);
  private static final Duration SETTLE_MAX = Duration.ofMinutes(3);
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(2);

  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final String belay;
  private final Path folder;
  private final Path ran;
  private final String token;
  private final Connection sql;
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private volatile boolean loading = true;
  private final List<String> violations = new ArrayList<>();

  private record Leadership(long epoch, String leader) {}

  private Failover(String belay, Path folder) throws IOException, SQLException {
    this.belay = belay;
    this.folder = folder;
    this.ran = Files.createFile(folder.resolve("ran.txt"));
    this.token = Files.readString(folder.resolve("token")).strip();
    var database = cluster().path("database");
    this.sql =
        DriverManager.getConnection(
            database.path("url").asText(),
            database.path("user").asText(),
            Files.readString(Path.of(database.path("password_file").asText())).strip());
  }

  public static void main(String[] args) throws Exception {
    var failover = new Failover(args[2], Path.of(args[3]).toAbsolutePath());
    int rounds = Integer.parseInt(args[1]);
    var load = Thread.ofVirtual().start(failover::load);
    failover.await("the first tasks to end", SETTLE_MAX, () -> failover.count("SUCCEEDED") > BATCH);
    String figure =
        switch (args[0]) {
          case "killed" -> failover.rounds(rounds, "-KILL", KILLED_MAX);
          case "stopped" -> failover.rounds(rounds, "-TERM", STOPPED_MAX);
          case "frozen" -> failover.frozen(rounds);
          default -> throw new IllegalArgumentException(args[0]);
        };
    failover.loading = false;
    load.join();
    failover.ledger();
    failover.violations.forEach(violation -> System.out.println("VIOLATION: " + violation));
    System.out.printf("%s; %d tasks ran once each%n", figure, failover.accepted.size());
    System.exit(failover.violations.isEmpty() ? 0 : 1);
  }

  // ---- the load ----

  /** Submits until told to stop; a batch without an answer is sent again under the same key. */
  private void load() {
    var command = List.of("/bin/sh", "-c", "echo \"$BELAY_TASK_ID $BELAY_FENCE\" >> '" + ran + "'");
    var tasks = Collections.nCopies(BATCH, Map.of("name", "line", "command", command));
    for (int batch = 0; loading; batch++) {
      try {
        submit(mapper.writeValueAsString(Map.of("tasks", tasks)), batch);
        Thread.sleep(BATCH_EVERY);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void submit(String body, int batch) throws IOException, InterruptedException {
    var key = UUID.randomUUID().toString();
    for (int tried = batch; ; tried++) {
      var replicas = cluster().path("replicas");
      var url = replicas.path(tried % replicas.size()).path("url").asText();
      var request =
          HttpRequest.newBuilder(URI.create(url + "/api/v1/tasks"))
              .timeout(Duration.ofSeconds(2))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .header("Idempotency-Key", key)
              .POST(BodyPublishers.ofString(body))
              .build();
      try {
        var answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == 201) {
          mapper
              .readTree(answer.body())
              .path("tasks")
              .forEach(task -> accepted.add(task.path("id").asText()));
          return;
        }
        if (answer.statusCode() < 500) {
          throw new IllegalStateException("refused: " + answer.body());
        }
      } catch (IOException lost) {
        // The loop asks the next replica, with the same key.
      }
      Thread.sleep(20);
    }
  }

  // ---- the leader's fate ----

  private String rounds(int rounds, String signal, Duration max) throws Exception {
    var leads = new ArrayList<Long>();
    var dispatches = new ArrayList<Long>();
    for (int round = 1; round <= rounds; round++) {
      var old = leadership();
      var replica = replica(old.leader());
      Instant begin = Instant.now();
      signal(signal, replica.path("pid").asLong());
      var next = awaitNext(old);
      leads.add(millis(begin, Instant.now()));
      await(
          "a dispatch of epoch " + next.epoch(), WATCH_MAX, () -> dispatched(old.epoch()) != null);
      dispatches.add(millis(begin, dispatched(old.epoch())));
      awaitMoved(old.leader());
      System.out.printf(
          "round %d: %s leads after %d ms (epoch %d), dispatches after %d ms, workers moved after"
              + " %d ms%n",
          round,
          next.leader(),
          leads.getLast(),
          next.epoch(),
          dispatches.getLast(),
          millis(begin, Instant.now()));
      startAgain(old.leader());
      Thread.sleep(BETWEEN_ROUNDS);
    }
    // After a kill the next leader must dispatch; after SIGTERM it must lead.
    var judged = signal.equals("-KILL") ? dispatches : leads;
    if (Collections.max(judged) > max.toMillis()) {
      violations.add("took " + Collections.max(judged) + " ms, more than " + max.toMillis());
    }
    return "leader %s %d times: next leads %s, dispatches %s"
        .formatted(signal, rounds, spread(leads), spread(dispatches));
  }

  private static String spread(List<Long> values) {
    var sorted = values.stream().sorted().toList();
    return "median %d ms, worst %d ms".formatted(sorted.get(sorted.size() / 2), sorted.getLast());
  }

  private String frozen(int rounds) throws Exception {
    var leads = new ArrayList<Long>();
    for (int round = 1; round <= rounds; round++) {
      var old = leadership();
      long pid = replica(old.leader()).path("pid").asLong();
      Instant begin = Instant.now();
      signal("-STOP", pid);
      var next = awaitNext(old);
      leads.add(millis(begin, Instant.now()));
      awaitMoved(old.leader());
      System.out.printf(
          "round %d: %s leads after %d ms (epoch %d), workers moved after %d ms%n",
          round, next.leader(), leads.getLast(), next.epoch(), millis(begin, Instant.now()));
      Thread.sleep(Math.max(0, FROZEN_FOR.toMillis() - millis(begin, Instant.now())));
      signal("-CONT", pid);
      await("the woken " + old.leader() + " to follow", WATCH_MAX, () -> follows(old.leader()));
      // This is long enough for every write that it had started to arrive.
      Thread.sleep(FROZEN_FOR.toMillis() / 4);
    }
    if (Collections.max(leads) > FROZEN_MAX.toMillis()) {
      violations.add("another led only after " + Collections.max(leads) + " ms");
    }
    return "leader frozen %d times for %d s: next leads %s"
        .formatted(rounds, FROZEN_FOR.toSeconds(), spread(leads));
  }

  private Leadership awaitNext(Leadership old) throws Exception {
    await(
        "another leader than " + old.leader(), WATCH_MAX, () -> leadership().epoch() > old.epoch());
    return leadership();
  }

  /** Waits until every worker of that replica is connected to another one. */
  private void awaitMoved(String replica) throws Exception {
    await(
        "the workers of " + replica + " to move",
        WATCH_MAX,
        () -> longOf("count(*) FROM worker WHERE replica = '" + replica + "'") == 0);
  }

  private boolean follows(String name) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(replica(name).path("url").asText() + "/metrics"))
            .timeout(Duration.ofSeconds(2))
            .header("Authorization", "Bearer " + token)
            .build();
    try {
      return http.send(request, BodyHandlers.ofString())
          .body()
          .lines()
          .anyMatch(line -> line.matches("belay_leader(\\{.*})? 0(\\.0)?"));
    } catch (IOException notYet) {
      return false;
    }
  }

  private void startAgain(String name) throws Exception {
    long pid = replica(name).path("pid").asLong();
    await("the end of " + name, WATCH_MAX, () -> !isAlive(pid));
    var number = name.substring(name.lastIndexOf('-') + 1);
    run(belay, "cluster", "start-replica", "--dir", folder.toString(), "--replica", number);
  }

  /** A zombie is in the process table too, but it does not count as alive. */
  private static boolean isAlive(long pid) throws IOException {
    var stat = Path.of("/proc/" + pid + "/stat");
    return Files.exists(stat) && !Files.readString(stat).matches("(?s).*\\) [ZX] .*");
  }

  private static void signal(String signal, long pid) throws Exception {
    run("kill", signal, Long.toString(pid));
  }

  private static void run(String... command) throws Exception {
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(String.join(" ", command) + " ended with " + status);
    }
  }

  // ---- the ledger ----

  private void ledger() throws Exception {
    await(
        "every task to end", SETTLE_MAX, () -> count("SUCCEEDED") == longOf("count(*) FROM task"));
    check("tasks stored and tasks accepted", longOf("count(*) FROM task"), accepted.size());
    var lines = Files.readAllLines(ran);
    var counts =
        lines.stream()
            .collect(Collectors.groupingBy(line -> line.split(" ")[0], Collectors.counting()));
    check("tasks that ran and tasks accepted", counts.size(), accepted.size());
    check(
        "accepted tasks that never ran",
        accepted.stream().filter(id -> !counts.containsKey(id)).count(),
        0);
    check("tasks that ran more than once", counts.values().stream().filter(n -> n > 1).count(), 0);
    check(
        "dispatches of an older epoch after one of a newer",
        longOf(
            "count(*) FROM (SELECT epoch, max(epoch) OVER (ORDER BY dispatched_at, dispatch_id"
                + " ROWS UNBOUNDED PRECEDING) AS newest FROM attempt) a WHERE epoch < newest"),
        0);
  }

  private void check(String what, long found, long wanted) {
    System.out.printf("%s: %d (%d wanted)%n", what, found, wanted);
    if (found != wanted) {
      violations.add(what + ": " + found + ", not " + wanted);
    }
  }

  // ---- what the cluster says ----

  private JsonNode cluster() throws IOException {
    return mapper.readTree(Files.readAllBytes(folder.resolve("cluster.json")));
  }

  private JsonNode replica(String name) throws IOException {
    for (var replica : cluster().path("replicas")) {
      if (replica.path("name").asText().equals(name)) {
        return replica;
      }
    }
    throw new IllegalStateException("no replica " + name);
  }

  private synchronized Leadership leadership() throws SQLException {
    try (var statement = sql.createStatement();
        var row = statement.executeQuery("SELECT epoch, leader FROM leadership")) {
      row.next();
      return new Leadership(row.getLong(1), row.getString(2));
    }
  }

  /** When a newer leader dispatched first; null when none has. */
  private synchronized Instant dispatched(long after) throws SQLException {
    try (var statement =
        sql.prepareStatement("SELECT min(dispatched_at) FROM attempt WHERE epoch > ?")) {
      statement.setLong(1, after);
      try (var row = statement.executeQuery()) {
        row.next();
        var at = row.getTimestamp(1);
        return at == null ? null : at.toInstant();
      }
    }
  }

  private long count(String state) throws SQLException {
    return longOf("count(*) FROM task WHERE state = '" + state + "'");
  }

  private synchronized long longOf(String query) throws SQLException {
    try (var statement = sql.createStatement();
        var row = statement.executeQuery("SELECT " + query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void await(String what, Duration max, Callable<Boolean> reached) throws Exception {
    long start = System.nanoTime();
    while (!reached.call()) {
      if (System.nanoTime() - start > max.toNanos()) {
        System.out.println("FAILED: waited " + max.toSeconds() + " s for " + what);
        System.exit(1);
      }
      Thread.sleep(20);
    }
  }

  private static long millis(Instant from, Instant to) {
    return Duration.between(from, to).toMillis();
  }
}
