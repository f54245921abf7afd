package dev.belay.server.auth;

import java.io.IOException;

/** A token file cannot be trusted; the message tells people how to fix it. */
public final class UnsafeToken extends IOException {
  private static final long serialVersionUID = 1L;

  public UnsafeToken(String message) {
    super(message);
  }
}
