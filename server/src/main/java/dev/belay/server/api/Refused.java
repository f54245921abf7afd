package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import java.util.List;

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

  /** For a file or body that is readable but breaks rules. */
  static Refused invalid(List<dev.belay.workflow.Problem> problems, String detail) {
    return new Refused(
        Problem.of(HttpStatus.UNPROCESSABLE_ENTITY, detail)
            .withErrors(problems.stream().map(Problem::fault).toList()));
  }

  Problem problem() {
    return problem;
  }
}
