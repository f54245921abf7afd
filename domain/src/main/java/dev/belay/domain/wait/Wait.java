package dev.belay.domain.wait;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a task or run waits.
 *
 * @param detail for a person; contains no times, so the reader's time zone can apply to them
 * @param since when the cause began, if known; else when the wait began
 * @param until when the wait ends by itself, if known
 */
public record Wait(WaitReason reason, String detail, Instant since, @Nullable Instant until) {

  static Wait of(WaitReason reason, String detail, Instant since) {
    return new Wait(reason, detail, since, null);
  }
}
