package dev.belay.workflow;

import dev.belay.domain.spec.WorkflowSpec;
import java.util.List;

/** What became of a workflow file. */
public sealed interface Parsed {

  record Valid(WorkflowSpec spec) implements Parsed {}

  /** Every problem of the file, by position; at most {@link Problems#REPORTED_MAX}. */
  record Invalid(List<Problem> problems) implements Parsed {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
