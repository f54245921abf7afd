package dev.belay.domain.routing;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A worker with what it holds now. Each change raises its version. */
final class WorkerLoad {

  private Worker worker;
  private Load held;
  private long version;
  private long turn;
  private boolean gone;

  /** Refused a task, and is not to be asked yet. */
  private boolean refusing;

  private int countedFree;

  WorkerLoad(Worker worker) {
    this.worker = worker;
    this.held = worker.held();
    this.refusing = worker.condition().refusesUntil() != null;
  }

  WorkerId id() {
    return worker.id();
  }

  /** The worker as it was read. */
  Worker worker() {
    return worker;
  }

  /** The worker with what it holds now. */
  Worker current() {
    return held.equals(worker.held()) ? worker : worker.holding(held);
  }

  long version() {
    return version;
  }

  /** When it last got a task. */
  long turn() {
    return turn;
  }

  void replace(Worker other) {
    worker = other;
    held = other.held();
    refusing = other.condition().refusesUntil() != null;
  }

  /** It may be asked again. */
  void awake() {
    refusing = false;
  }

  /** The free slots that its pools count for it. */
  int countedFree() {
    return countedFree;
  }

  /** Counts its free slots again, and returns how many there are more than before. */
  int countFree() {
    int before = countedFree;
    countedFree = isUsable() && !refusing ? Math.max(0, freeSlots()) : 0;
    return countedFree - before;
  }

  /** It is no longer known. */
  void forget() {
    gone = true;
    version++;
  }

  void changed() {
    version++;
  }

  void take(Size size, long newTurn) {
    held = held.plus(size);
    turn = newTurn;
  }

  void giveBack(Size size) {
    held = held.minus(size);
  }

  /** It takes work if it has room. */
  boolean isUsable() {
    return away() == null;
  }

  /** Why a task of this size does not get it at the moment. */
  @Nullable WorkerGate gate(Size size, Instant now) {
    WorkerGate away = away();
    if (away != null) {
      return away;
    }
    Instant refusesUntil = worker.condition().refusesUntil();
    if (refusesUntil != null && now.isBefore(refusesUntil)) {
      return WorkerGate.REFUSED;
    }
    return full(size, held);
  }

  @Nullable WorkerGate full(Size size, Load load) {
    Load capacity = worker.capacity();
    if (load.slots() + worker.condition().withheldSlots() + size.slots() > capacity.slots()) {
      return WorkerGate.SLOTS;
    }
    if (capacity.memoryBytes() > 0
        && load.memoryBytes() + size.memoryBytes() > capacity.memoryBytes()) {
      return WorkerGate.MEMORY;
    }
    return capacity.cpuMillis() > 0 && load.cpuMillis() + size.cpuMillis() > capacity.cpuMillis()
        ? WorkerGate.CPU
        : null;
  }

  private @Nullable WorkerGate away() {
    if (gone) {
      return WorkerGate.DISCONNECTED;
    }
    return switch (worker.condition().presence()) {
      case PRESENT -> worker.condition().setAside() ? WorkerGate.SET_ASIDE : null;
      case TROUBLED -> WorkerGate.TROUBLED;
      case DRAINING -> WorkerGate.DRAINING;
      case SILENT -> WorkerGate.SILENT;
      case DISCONNECTED -> WorkerGate.DISCONNECTED;
    };
  }

  Load held() {
    return held;
  }

  int freeSlots() {
    return worker.capacity().slots() - usedSlots();
  }

  /**
   * Its load in tasks, with a busy cpu or gpu as one task each, as a share of its slots. So equal
   * workers get equally many tasks, and a large one gets more than a small one.
   */
  double score() {
    Worker.Condition condition = worker.condition();
    return (usedSlots() + (condition.cpuPercent() + condition.gpuPercent()) / 100)
        / worker.capacity().slots();
  }

  boolean isLastChoice(RoutingSettings settings) {
    return usedSlots() >= settings.lastChoiceShare() * worker.capacity().slots();
  }

  boolean isOverloaded(RoutingSettings settings) {
    return settings.avoidOverloaded()
        && Math.max(worker.condition().cpuPercent(), worker.condition().gpuPercent())
            >= 100 * settings.overloadedShare();
  }

  private int usedSlots() {
    return held.slots() + worker.condition().withheldSlots();
  }
}
