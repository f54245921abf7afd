package dev.belay.engine.port;

/** The lease of a periodic job is over: this batch wrote nothing, and its job must stop. */
public final class LeaseLost extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LeaseLost(LeaseToken token) {
    super("the lease of %s with token %d is over".formatted(token.job(), token.value()));
  }
}
