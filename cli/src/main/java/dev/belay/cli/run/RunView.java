package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.TaskLog;
import dev.belay.domain.reap.RecoveryKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The known state of a run and its tasks. Reads may overlap: old news changes nothing. */
final class RunView {

  private static final Set<String> LOST =
      Stream.of(
              RecoveryKind.AGENT_CLOSED,
              RecoveryKind.DISPATCH_LOST,
              RecoveryKind.WORKER_RESTARTED,
              RecoveryKind.MACHINE_REBOOTED,
              RecoveryKind.WORKER_GONE,
              RecoveryKind.NOT_REPORTED)
          .map(RecoveryKind::reason)
          .collect(Collectors.toUnmodifiableSet());

  private final Map<String, JsonNode> taskByName = new LinkedHashMap<>();
  private JsonNode run;
  private @Nullable Instant newest;
  private @Nullable ServerSilence silence;

  RunView(JsonNode run) {
    this.run = run;
  }

  JsonNode run() {
    return run;
  }

  String id() {
    return Json.text(run, "id");
  }

  void update(JsonNode newRun) {
    run = newRun;
  }

  /** Set while the server does not answer. */
  @Nullable ServerSilence silence() {
    return silence;
  }

  void silence(@Nullable ServerSilence now) {
    silence = now;
  }

  /** Why the run itself does not start; a missing node when it does. */
  JsonNode waiting() {
    return run.path("waiting");
  }

  /** Why a task waits, if the server explained it; a missing node otherwise. */
  JsonNode waiting(String task) {
    for (var waiting : run.path("waiting_tasks")) {
      if (Json.text(waiting, "name").equals(task)) {
        return waiting;
      }
    }
    return MissingNode.getInstance();
  }

  /** Takes in the tasks and returns those that changed, the oldest change first. */
  List<JsonNode> take(Iterable<JsonNode> read) {
    var changed = new ArrayList<JsonNode>();
    for (var task : read) {
      var since = since(task);
      var known = taskByName.get(Json.text(task, "name"));
      if (known != null && (since.isBefore(since(known)) || same(known, task))) {
        continue;
      }
      taskByName.put(Json.text(task, "name"), task);
      newest = newest == null || since.isAfter(newest) ? since : newest;
      changed.add(task);
    }
    changed.sort((a, b) -> since(a).compareTo(since(b)));
    return changed;
  }

  /** The time of the newest change. */
  @Nullable Instant newest() {
    return newest;
  }

  @Nullable JsonNode task(String name) {
    return taskByName.get(name);
  }

  List<JsonNode> tasks() {
    return List.copyOf(taskByName.values());
  }

  long finished() {
    return taskByName.values().stream().filter(TaskLog::isTerminal).count();
  }

  Map<String, Integer> counts() {
    var counts = new TreeMap<String, Integer>();
    taskByName.values().forEach(task -> counts.merge(Json.text(task, "state"), 1, Integer::sum));
    return counts;
  }

  static boolean isFailure(JsonNode task) {
    return switch (Json.text(task, "state")) {
      case "FAILED", "TIMEOUT", "DENIED", "OUTPUT_QUARANTINED" -> true;
      default -> false;
    };
  }

  /** It ended because its worker was lost: the time of its end is not how long it ran. */
  static boolean isLost(JsonNode task) {
    String reason = Json.text(task, "reason");
    return TaskLog.isTerminal(task) && LOST.contains(reason);
  }

  static boolean isActive(JsonNode task) {
    return switch (Json.text(task, "state")) {
      case "RUNNING", "DISPATCHED" -> true;
      default -> false;
    };
  }

  private static boolean same(JsonNode a, JsonNode b) {
    return since(a).equals(since(b)) && Json.text(a, "state").equals(Json.text(b, "state"));
  }

  private static Instant since(JsonNode task) {
    var since = Json.time(task, "state_since");
    return since == null ? Instant.EPOCH : since;
  }
}
