package dev.belay.engine.port;

/** Another leader has taken over: this write did nothing, and this leader must stop. */
public final class Deposed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Deposed(Epoch epoch) {
    super("epoch " + epoch.value() + " is over");
  }
}
