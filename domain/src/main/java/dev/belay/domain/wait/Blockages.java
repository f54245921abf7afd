package dev.belay.domain.wait;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.limit.LimitKind;
import dev.belay.domain.limit.Room.Full;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.Explanation;
import dev.belay.domain.routing.Refusal;
import dev.belay.domain.routing.WorkerGate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Words for what blocks a task queue. */
final class Blockages {

  private Blockages() {}

  /** Empty when nothing blocks it. */
  static Optional<Wait> wait(Blockage blockage, Instant since) {
    List<Full> full = blockage.room().full();
    if (!full.isEmpty()) {
      return Optional.of(
          Wait.of(
              reason(full.getFirst().kind()),
              full.stream()
                      .map(one -> detail(one, blockage.placement()))
                      .collect(Collectors.joining("; "))
                  + holders(blockage.holders()),
              since));
    }
    Refused refused = blockage.routing().refused();
    return refused == null ? Optional.empty() : Optional.of(refused(refused, blockage, since));
  }

  private static String holders(List<TaskId> holders) {
    return holders.isEmpty()
        ? ""
        : holders.stream().map(TaskId::toString).collect(Collectors.joining(", ", ": ", ""));
  }

  private static WaitReason reason(LimitKind kind) {
    return switch (kind) {
      case POOL_SLOTS -> WaitReason.POOL_SLOTS;
      case TENANT_LIMIT -> WaitReason.TENANT_LIMIT;
      case MAX_TASKS -> WaitReason.MAX_TASKS;
      case CONCURRENCY -> WaitReason.CONCURRENCY;
      case RATE_LIMIT -> WaitReason.RATE_LIMIT;
    };
  }

  private static String detail(Full full, Placement placement) {
    return switch (full.kind()) {
      case POOL_SLOTS ->
          "tasks of pool %s hold %d of %d slots%s"
              .formatted(full.name(), full.held(), full.limit(), needed(placement));
      case TENANT_LIMIT ->
          "tenant %s has %d of %d tasks running".formatted(full.name(), full.held(), full.limit());
      case MAX_TASKS ->
          "workflow %s has %d of %d tasks running (max_tasks)"
              .formatted(full.name(), full.held(), full.limit());
      case CONCURRENCY ->
          "concurrency key %s has %d of %d tasks running"
              .formatted(full.name(), full.held(), full.limit());
      case RATE_LIMIT ->
          "rate limit %s has used %d of %d tokens"
              .formatted(full.name(), full.held(), full.limit());
    };
  }

  private static Wait refused(Refused refused, Blockage blockage, Instant since) {
    String detail = detail(refused, blockage.placement(), blockage.routing());
    Blockage.Tries tries = blockage.tries();
    return tries == null
        ? Wait.of(reason(refused.reason()), detail, since)
        : tried(refused.reason(), detail, tries);
  }

  static Wait tried(Refusal reason, String detail, Blockage.Tries tries) {
    return new Wait(
        reason(reason),
        "%s; tried %d times, given up after %d".formatted(detail, tries.used(), tries.max()),
        tries.since(),
        tries.givenUpAt());
  }

  private static WaitReason reason(Refusal refusal) {
    return switch (refusal) {
      case NO_POOL_MAPPING -> WaitReason.NO_POOL_MAPPING;
      case NO_WORKERS -> WaitReason.NO_WORKERS;
      case POOL_OVERLOADED -> WaitReason.POOL_OVERLOADED;
      case POOL_INACTIVE -> WaitReason.POOL_INACTIVE;
      case POOL_SLOTS -> WaitReason.POOL_SLOTS;
    };
  }

  static String detail(Refused refused, Placement placement, Explanation routing) {
    return switch (refused.reason()) {
      case NO_POOL_MAPPING ->
          routing.excluded().containsKey(WorkerGate.CAPABILITY)
              ? "nothing in %s has %s"
                  .formatted(where(placement), String.join(", ", placement.requires()))
              : unmapped(placement);
      case NO_WORKERS ->
          refused.usesTries()
              ? "no worker of %s ever came".formatted(where(placement))
              : "no worker of %s takes work%s".formatted(where(placement), gates(routing));
      case POOL_OVERLOADED ->
          "no worker of %s has room (%d of %d slots taken%s)%s"
              .formatted(
                  where(placement),
                  routing.slots().taken(),
                  routing.slots().total(),
                  needed(placement),
                  gates(routing));
      case POOL_INACTIVE -> "%s is draining or inactive".formatted(where(placement));
      case POOL_SLOTS -> "%s has no slot left".formatted(where(placement));
    };
  }

  private static String unmapped(Placement placement) {
    return placement.pool() == null
        ? "no pool runs topic " + placement.topic()
        : "pool %s does not run topic %s".formatted(placement.pool(), placement.topic());
  }

  private static String where(Placement placement) {
    return placement.pool() == null
        ? "the pools of topic " + placement.topic()
        : "pool " + placement.pool();
  }

  private static String needed(Placement placement) {
    int slots = placement.size().slots();
    return slots == 1 ? "" : ", the task needs " + slots;
  }

  /** How many workers each gate excludes. */
  private static String gates(Explanation routing) {
    String counted =
        routing.excluded().entrySet().stream()
            .filter(gate -> gate.getKey() != WorkerGate.OTHER_POOL)
            .map(Blockages::counted)
            .collect(Collectors.joining(", "));
    return counted.isEmpty() ? "" : ": " + counted;
  }

  private static String counted(Map.Entry<WorkerGate, Integer> gate) {
    return "%d %s".formatted(gate.getValue(), gate.getKey().word());
  }
}
