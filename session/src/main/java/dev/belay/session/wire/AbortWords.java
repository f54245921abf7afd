package dev.belay.session.wire;

/** Reasons of an Abort besides {@link dev.belay.domain.settle.AbortReason}. */
public final class AbortWords {
  /** The outcome is not needed. */
  public static final String VOID = "void";

  private AbortWords() {}
}
