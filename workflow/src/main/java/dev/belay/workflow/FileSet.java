package dev.belay.workflow;

import dev.belay.workflow.BelayFile.RouteUse;
import dev.belay.workflow.BelayFile.TriggerUse;
import dev.belay.workflow.tree.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that are applied together: all of them are valid, or none is applied. */
public sealed interface FileSet {

  /** People do not read more, and an answer must stay small. */
  int PROBLEMS_MAX = 1_000;

  /** One file, before it is read. */
  record Source(String file, String text) {}

  /**
   * @param spec as JSON; equal meanings have equal text
   */
  record Workflow(
      Source source,
      String tenant,
      String name,
      int taskCount,
      String spec,
      List<RouteUse> routes,
      List<TriggerUse> triggers) {
    public Workflow {
      routes = List.copyOf(routes);
      triggers = List.copyOf(triggers);
    }
  }

  /**
   * The system file of a set.
   *
   * @param calendarsAt the place of its calendars, or of its kind
   */
  record SystemFile(Source source, SystemSpec spec, Place calendarsAt) {}

  /**
   * @param system null when the set has none
   */
  record Valid(List<Workflow> workflows, @Nullable SystemFile system) implements FileSet {
    public Valid {
      workflows = List.copyOf(workflows);
    }
  }

  /** The problems of all files, in their order; at most {@link #PROBLEMS_MAX}. */
  record Invalid(List<Problem> problems) implements FileSet {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /** With all aliases written out, the specs need more than the given number of characters. */
  record TooLarge(Source reached) implements FileSet {}

  /**
   * Limits of one set.
   *
   * @param valuesMax values in a file, with every alias expanded
   * @param charsMax all specs together, as JSON: a small file can have a huge one
   */
  record Limits(int valuesMax, long charsMax) {}

  static FileSet parse(List<Source> sources, Limits limits) {
    return new FileSetReader(limits).read(sources);
  }
}
