package dev.belay.agent.process;

/** Sets who may read the files that this process creates from now on. */
public final class Umask {

  private static final int OTHERS_NOTHING = 0077;

  private Umask() {}

  /**
   * Only their owner. For the whole process, so only a command may call it, not a library.
   *
   * @return the old mask, in octal, for the tasks
   */
  public static String ownerOnly() {
    return "%03o".formatted(Libc.umask(OTHERS_NOTHING));
  }
}
