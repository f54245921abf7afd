package dev.belay.session.wire;

/** Ids in messages. */
public final class WireId {
  private static final int LENGTH = 36;

  private WireId() {}

  /** A UUID in its full form; {@code UUID.fromString} alone also accepts "1-1-1-1-1". */
  public static boolean isUuid(String text) {
    if (text.length() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      char c = text.charAt(i);
      boolean hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (dash ? c != '-' : !hex) {
        return false;
      }
    }
    return true;
  }
}
