package dev.belay.agent.process;

/** Who may read the files that this process makes from now on. */
public final class Umask {

  private static final int OTHERS_NOTHING = 0077;

  private Umask() {}

  /**
   * Only their owner. For the process as a whole, so it is the word of a command, not of a library.
   *
   * @return what it was, in octal: tasks go on with that
   */
  public static String ownerOnly() {
    return "%03o".formatted(Libc.umask(OTHERS_NOTHING));
  }
}
