package dev.belay.session.agent;

import java.time.Duration;

/**
 * Decides when a process has shown no sign of life for too long.
 *
 * <p>Only time in which the agent itself ran counts: between two looks at most {@link #LOOK_MAX}.
 * An agent that was frozen, perhaps together with its machine, does not blame the process for it.
 * Two looks in a row must agree, because the agent may have been frozen after it read the output
 * for the first of them.
 *
 * <p>Any thread may report a sign; one thread looks.
 */
public final class StallDetector {

  /** Look more often than this, so that all the time of an agent that runs counts. */
  public static final Duration LOOK_MAX = Duration.ofSeconds(1);

  private final long limitNanos;
  private volatile boolean signOfLife;
  private long lookedAtNanos;
  private long silentNanos;

  /**
   * @param startNanos when the process started, by the clock of the looks
   */
  public StallDetector(Duration limit, long startNanos) {
    this.limitNanos = limit.toNanos();
    this.lookedAtNanos = startNanos;
  }

  /** The process did something that a hanging one would not do. */
  public void sign() {
    signOfLife = true;
  }

  /** Call it right after everything that could be a sign has been read. */
  public boolean isStalled(long nowNanos) {
    boolean suspect = silentNanos >= limitNanos;
    long since = Math.max(0, nowNanos - lookedAtNanos);
    lookedAtNanos = nowNanos;
    if (signOfLife) {
      signOfLife = false;
      silentNanos = 0;
      return false;
    }
    silentNanos += Math.min(since, LOOK_MAX.toNanos());
    return suspect;
  }
}
