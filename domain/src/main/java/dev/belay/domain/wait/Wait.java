package dev.belay.domain.wait;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why something waits.
 *
 * @param detail for a person; times are not in it, so that they can be shown in the reader's zone
 * @param since when the cause began, where that is known; else when the waiting did
 * @param until when it is over by itself, where that is known
 */
public record Wait(WaitReason reason, String detail, Instant since, @Nullable Instant until) {

  static Wait of(WaitReason reason, String detail, Instant since) {
    return new Wait(reason, detail, since, null);
  }
}
