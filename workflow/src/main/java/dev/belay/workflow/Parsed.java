package dev.belay.workflow;

import dev.belay.domain.spec.WorkflowSpec;
import java.util.List;

/** The result of reading a workflow file. */
public sealed interface Parsed {

  record Valid(WorkflowSpec spec) implements Parsed {}

  /** All problems of the file, by position; at most {@link Problems#REPORTED_MAX}. */
  record Invalid(List<Problem> problems) implements Parsed {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
