package dev.belay.domain.trust;

/** Decides whether the worker is at fault, or the tasks are. */
public final class SetAside {

  /** At most one of so many workers of a pool is set aside, but always one. */
  private static final int SHARE = 4;

  /**
   * The other connected workers of the pools of a worker.
   *
   * @param well take work, and do not fail in a row
   * @param failing take work, and are suspects, too
   * @param setAside are set aside already
   */
  public record Others(int well, int failing, int setAside) {
    int all() {
      return well + failing + setAside;
    }
  }

  private SetAside() {}

  /**
   * Tasks that fail on most workers are at fault themselves. When many workers would have to go,
   * the cause is probably common to all of them, such as a broken share; then all stay.
   *
   * @param failures fast failures in a row
   */
  public static boolean isDue(int failures, Others others, TrustSettings settings) {
    return settings.isOn()
        && failures >= settings.failures()
        && others.well() > 0
        && others.well() >= others.failing()
        && others.setAside() < Math.max(1, (1 + others.all()) / SHARE);
  }
}
