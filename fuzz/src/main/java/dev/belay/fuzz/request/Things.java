package dev.belay.fuzz.request;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Items known to exist on the server. Thread-safe; keeps the newest. */
public final class Things {

  /** A kind of item with an id or a name. */
  public enum Kind {
    TASK,
    OPEN_TASK,
    BLOCKED_TASK,
    FAILED_TASK,
    RUN,
    FAILED_RUN,
    OPEN_RUN,
    WORKER,
    LEFT_WORKER,
    POOL,
    TOPIC,
    TENANT,
    DEAD_LETTER,
    WORKFLOW,
    TRIGGER,
    BACKFILL,
    BULK,
    EVENT,
    HOOK
  }

  private static final int LEARNED_MAX = 100;

  private final Map<Kind, List<String>> firm = new EnumMap<>(Kind.class);
  private final Map<Kind, List<String>> learned = new EnumMap<>(Kind.class);

  public Things() {
    for (Kind kind : Kind.values()) {
      firm.put(kind, new ArrayList<>());
      learned.put(kind, new ArrayList<>());
    }
  }

  /** Adds an item from before the first request, in the same order for each seed. */
  public synchronized void add(Kind kind, String id) {
    listOf(firm, kind).add(id);
  }

  public synchronized void learn(Kind kind, String id) {
    List<String> list = listOf(learned, kind);
    if (list.size() == LEARNED_MAX) {
      list.removeFirst();
    }
    list.add(id);
  }

  /**
   * @param position a number from 0 to 1; the first half selects items from before the first
   *     request
   */
  public synchronized Optional<String> pick(Kind kind, double position) {
    List<String> first = listOf(firm, kind);
    List<String> second = listOf(learned, kind);
    boolean early = position < 0.5 || second.isEmpty();
    List<String> from = early ? first : second;
    double within = position < 0.5 ? position * 2 : position * 2 - 1;
    return from.isEmpty()
        ? Optional.empty()
        : Optional.of(from.get((int) Math.min(from.size() - 1.0, within * from.size())));
  }

  private static List<String> listOf(Map<Kind, List<String>> all, Kind kind) {
    return all.computeIfAbsent(kind, _ -> new ArrayList<>());
  }
}
