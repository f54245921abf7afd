package dev.belay.session.wire;

/** What the reason of an Abort may say beside {@link dev.belay.domain.settle.AbortReason}. */
public final class AbortWords {
  /** Nobody waits for the outcome. */
  public static final String VOID = "void";

  private AbortWords() {}
}
