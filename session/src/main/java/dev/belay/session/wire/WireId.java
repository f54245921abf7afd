package dev.belay.session.wire;

import dev.belay.domain.id.TaskId;
import java.util.UUID;

/** Ids in messages. */
public final class WireId {
  private static final int LENGTH = 36;

  /** What an agent names that knows no tasks, as those before this field: no task has this id. */
  public static final TaskId NO_TASK = new TaskId(new UUID(0, 0));

  private WireId() {}

  /** Checked by {@link #isTask}. */
  public static TaskId task(String text) {
    return text.isEmpty() ? NO_TASK : TaskId.of(text);
  }

  public static boolean isTask(String text) {
    return text.isEmpty() || isUuid(text);
  }

  /** A UUID in its full form; {@code UUID.fromString} alone also accepts "1-1-1-1-1". */
  public static boolean isUuid(String text) {
    if (text.length() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      char c = text.charAt(i);
      boolean hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (dash ? c != '-' : !hex) {
        return false;
      }
    }
    return true;
  }
}
