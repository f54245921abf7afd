package dev.belay.fuzz.run;

import dev.belay.fuzz.make.RequestMaker;
import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Request;
import dev.belay.fuzz.request.Things;
import dev.belay.fuzz.tested.Heap;
import dev.belay.fuzz.tested.LogWatch;
import dev.belay.fuzz.tested.ServerProcess;
import dev.belay.fuzz.tested.StateDigest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one seed to one server, block by block. After each block it checks the
 * process, its health and its log; around a refused block, also the database.
 */
public final class Fuzzer implements AutoCloseable {

  /** Called after each block. */
  public interface Listener {
    void progress(long done, int findings);
  }

  /**
   * @param connections clients at a time
   * @param findingsMax stops after this many
   */
  public record Plan(long seed, long from, long to, int connections, int findingsMax) {}

  /** After this many repeats of one fault, the rest is not worth the time. */
  private static final int REPEATS_MAX = 10;

  /** Time after the last block for delayed effects. */
  private static final Duration LATER = Duration.ofSeconds(5);

  private static final Pattern ID =
      Pattern.compile("\"id\" ?: ?\"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\"");

  private final Plan plan;
  private final ServerProcess server;
  private final Things things = new Things();
  private final RequestMaker maker;
  private final Senders senders;
  private final StateDigest digest;
  private final LogWatch log;
  private final HealthProbe probe;
  private final Counts counts = new Counts();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private int found;
  private long comparedRequests;
  private long comparisons;

  /** The last refused block, until its second check. */
  private @Nullable RefusedBlock refused;

  private record RefusedBlock(Map<String, String> state, Request first, Request last) {}

  public Fuzzer(Plan plan, ServerProcess server, LongSupplier nanos) throws Exception {
    this.plan = plan;
    this.server = server;
    var target = server.target();
    Preparation.run(server, things);
    this.maker =
        new RequestMaker(plan.seed(), target.host(), target.token(), target.joinToken(), things);
    this.digest = new StateDigest(target.database(), nanos);
    this.senders = new Senders(target, plan.connections(), nanos);
    this.probe = new HealthProbe(target, nanos);
    this.log = new LogWatch(target.log());
  }

  public Outcome run(Listener listener) throws SQLException, IOException, InterruptedException {
    long next = plan.from();
    while (next <= plan.to() && !isEnough() && server.isAlive()) {
      long end =
          Math.min(
              plan.to(), (next - 1) / RequestMaker.BLOCK * RequestMaker.BLOCK + RequestMaker.BLOCK);
      block(next, end);
      listener.progress(end - plan.from() + 1, findings.size());
      next = end + 1;
    }
    if (refused != null && server.isAlive()) {
      Thread.sleep(LATER);
      checkLater();
    }
    Heap heap = server.isAlive() ? Heap.of(server.target().pid()) : new Heap(-1, -1);
    return new Outcome(
        counts,
        List.copyOf(findings),
        new Outcome.State(comparisons, comparedRequests, digest.tables()),
        new Outcome.Health(probe.p99(), probe.worstMillis(), probe.unhealthy()),
        heap,
        log.lines(),
        found);
  }

  private void block(long from, long to) throws SQLException, IOException, InterruptedException {
    var requests = new ArrayList<Request>();
    for (long number = from; number <= to; number++) {
      requests.add(maker.make(number));
    }
    boolean compare = RequestMaker.isRefusedBlock(from);
    checkLater();
    Map<String, String> before = compare ? digest.settled() : Map.of();
    List<Answer> answers = senders.send(requests);
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      Answer answer = answers.get(i);
      counts.add(request, answer);
      AnswerCheck.judge(request, answer).ifPresent(this::add);
      learn(request, answer);
    }
    if (!checkAlive(requests, answers)) {
      return;
    }
    checkLog(requests);
    if (compare) {
      checkState(before, requests, answers);
    }
  }

  private boolean checkAlive(List<Request> requests, List<Answer> answers) {
    if (server.isAlive()) {
      return true;
    }
    Request suspect = requests.getLast();
    for (int i = requests.size() - 1; i >= 0; i--) {
      if (answers.get(i).status() < 0
          && requests.get(i).content() instanceof Request.Http http
          && http.wellFormed()) {
        suspect = requests.get(i);
      }
    }
    add(
        new Finding(
            "dead",
            "the server process ended; the first well-formed request without an answer is shown",
            suspect,
            requests.getFirst().number(),
            requests.getLast().number()));
    return false;
  }

  private void checkLog(List<Request> requests) throws IOException {
    List<String> traces = log.newTraces();
    if (traces.isEmpty() || !known.add("log " + signature(traces.getFirst()))) {
      return;
    }
    for (Request request : requests) {
      senders.sendAlone(request);
      List<String> again = log.newTraces();
      if (!again.isEmpty()) {
        known.add("log " + signature(again.getFirst()));
        add(Finding.of("log", request, "a stack trace in the log: " + again.getFirst()));
        return;
      }
    }
    add(
        new Finding(
            "log",
            "a stack trace in the log, which no single request repeats: " + traces.getFirst(),
            null,
            requests.getFirst().number(),
            requests.getLast().number()));
  }

  /** The origin of a trace, to report the same one once. */
  private static String signature(String trace) {
    return trace.substring(trace.indexOf('|') + 1);
  }

  private void checkState(Map<String, String> before, List<Request> requests, List<Answer> answers)
      throws SQLException, InterruptedException {
    comparisons++;
    comparedRequests += requests.size();
    Map<String, String> after = digest.read();
    if (after.equals(before)) {
      refused = new RefusedBlock(after, requests.getFirst(), requests.getLast());
      return;
    }
    var suspects = new ArrayList<Request>();
    boolean accepted = false;
    for (int i = 0; i < requests.size(); i++) {
      boolean taken = answers.get(i).isAccepted() && !requests.get(i).isRead();
      accepted |= taken;
      if (!taken) {
        suspects.add(requests.get(i));
      }
    }
    if (blame(after, suspects) || accepted) {
      return;
    }
    add(
        new Finding(
            "state",
            "the database changed though all were refused, and no single request repeats it: "
                + StateDigest.difference(before, after),
            null,
            requests.getFirst().number(),
            requests.getLast().number()));
  }

  /** Work that a refused request left for the engine shows only later. */
  private void checkLater() throws SQLException, InterruptedException {
    var block = refused;
    refused = null;
    if (block == null) {
      return;
    }
    Map<String, String> now = digest.settled();
    if (!now.equals(block.state())) {
      add(
          new Finding(
              "state",
              "the database changed a while after all were refused: "
                  + StateDigest.difference(block.state(), now),
              null,
              block.first().number(),
              block.last().number()));
    }
  }

  /** Sends each suspect again alone and compares. */
  private boolean blame(Map<String, String> now, List<Request> suspects)
      throws SQLException, InterruptedException {
    Map<String, String> last = now;
    for (Request request : suspects) {
      Answer answer = senders.sendAlone(request);
      Map<String, String> after = digest.read();
      if (!after.equals(last) && !answer.isAccepted()) {
        add(
            Finding.of(
                "state",
                request,
                "refused ("
                    + answer.word()
                    + "), and the database changed: "
                    + StateDigest.difference(last, after)));
        return true;
      }
      last = after;
    }
    return false;
  }

  /** Reports the same fault once, and counts repeats. */
  private void add(Finding finding) {
    found++;
    if (known.add(finding.signature()) && findings.size() < plan.findingsMax()) {
      findings.add(finding);
    }
  }

  private boolean isEnough() {
    return findings.size() >= plan.findingsMax() || found >= plan.findingsMax() * REPEATS_MAX;
  }

  private void learn(Request request, Answer answer) {
    if (!answer.isAccepted() || answer.body().length == 0) {
      return;
    }
    switch (request.route()) {
      case "SUBMIT_TASKS" -> learn(Things.Kind.TASK, ID.matcher(answer.text()));
      case "TRIGGER_RUN" -> learn(Things.Kind.RUN, ID.matcher(answer.text()));
      case "SEND_EVENTS" -> learn(Things.Kind.EVENT, ID.matcher(answer.text()));
      case "LIST_WORKERS" -> learn(Things.Kind.WORKER, ID.matcher(answer.text()));
      default -> {
        // Nothing new.
      }
    }
  }

  private void learn(Things.Kind kind, Matcher ids) {
    for (int i = 0; i < 5 && ids.find(); i++) {
      things.learn(kind, ids.group(1));
    }
  }

  @Override
  public void close() throws SQLException {
    probe.close();
    senders.close();
    digest.close();
  }
}
