package dev.belay.server.http;

/** The head of a request violates HTTP. */
public final class BadHead extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  BadHead(int status, String detail) {
    super(detail, null, false, false);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
