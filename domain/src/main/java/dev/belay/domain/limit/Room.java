package dev.belay.domain.limit;

import java.util.List;

/**
 * How many more tasks of a task queue may start.
 *
 * @param tasks {@link #UNLIMITED} without a limit
 * @param full the limits that leave no room; empty when there is room
 */
public record Room(int tasks, List<Full> full) {
  public static final int UNLIMITED = Integer.MAX_VALUE;

  public Room {
    full = List.copyOf(full);
  }

  public boolean isFull() {
    return tasks == 0;
  }

  /**
   * A limit that leaves no room.
   *
   * @param name of the pool, tenant, workflow or key
   * @param held more than the limit after it was lowered; fewer when they do not suffice for a wide
   *     task
   */
  public record Full(LimitKind kind, String name, int held, int limit) {}
}
