package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;

/** Ends the handling of a request with a problem; never leaves this package. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  Refused(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Refused(HttpStatus status, String detail) {
    this(Problem.of(status, detail));
  }

  Problem problem() {
    return problem;
  }
}
