package dev.belay.engine.queue;

/** A write named a task queue that may have been deleted, and stored nothing. */
public final class UnknownQueue extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownQueue() {
    super("a task queue was not interned lately");
  }
}
