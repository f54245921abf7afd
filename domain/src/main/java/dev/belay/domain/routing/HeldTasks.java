package dev.belay.domain.routing;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tasks that workers hold, asked for when a wide task finds no room. */
@FunctionalInterface
public interface HeldTasks {
  List<Held> on(WorkerId worker);

  /**
   * @param endsBy when its execution timeout ends it; null means unknown
   */
  record Held(Size size, @Nullable Instant endsBy) {}
}
