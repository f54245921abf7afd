package dev.belay.domain.bulk;

import java.util.Locale;

/** Why a bulk operation left an item as it was. */
public enum BulkRefusal {
  /** Its state changed after the request, so the filter does not select it any more. */
  NO_LONGER_MATCHES,
  /** It is so already. */
  UNCHANGED,
  /** Its attempt was asked to end before, and that reason stands. */
  ALREADY_ENDING,
  /** The rules for single items do not allow it. */
  NOT_ALLOWED,
  /** It was removed. */
  NOT_FOUND,
  /** The change failed each time that it was tried. */
  ERROR;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
