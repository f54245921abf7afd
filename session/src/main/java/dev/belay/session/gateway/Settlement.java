package dev.belay.session.gateway;

/** The database's answer to one event, after commit. */
public record Settlement(WorkerEvent event, Answer answer) {

  /** Written now, written before, or not the task's current dispatch. */
  public enum Answer {
    APPLIED,
    DUPLICATE,
    VOID
  }
}
