package dev.belay.domain.trigger;

/** Whether a workflow and its trigger may start runs now. */
public record TargetState(boolean deleted, boolean paused, boolean triggerPaused) {

  public static final TargetState OPEN = new TargetState(false, false, false);
}
