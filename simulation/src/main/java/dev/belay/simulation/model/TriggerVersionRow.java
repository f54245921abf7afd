package dev.belay.simulation.model;

import dev.belay.domain.id.TriggerId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of the table trigger_version. */
final class TriggerVersionRow implements Cloneable {
  final UUID id;
  final TriggerId trigger;
  final String kind;
  final @Nullable String source;
  final String spec;
  final Instant fromAt;
  @Nullable Instant untilAt;
  @Nullable Instant nextAt;
  @Nullable Instant dueAt;
  @Nullable Instant replayFrom;
  @Nullable Instant pausedAt;

  TriggerVersionRow(
      UUID id,
      TriggerId trigger,
      String kind,
      @Nullable String source,
      String spec,
      Instant fromAt) {
    this.id = id;
    this.trigger = trigger;
    this.kind = kind;
    this.source = source;
    this.spec = spec;
    this.fromAt = fromAt;
  }

  boolean isTimed() {
    return kind.equals("timed");
  }

  boolean isLive() {
    return untilAt == null;
  }

  /** It still has instants to decide, or will have. */
  boolean isOpen() {
    return isLive() || dueAt != null;
  }

  TriggerVersionRow copy() {
    try {
      return (TriggerVersionRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
