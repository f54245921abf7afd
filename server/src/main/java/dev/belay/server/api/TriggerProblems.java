package dev.belay.server.api;

import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.Workflow;
import dev.belay.store.schedule.TriggerFault;
import dev.belay.store.schedule.TriggerNeeds;
import dev.belay.workflow.BelayFile.TriggerUse;
import dev.belay.workflow.BelayFile.TriggerUse.Named;
import dev.belay.workflow.FileSet;
import dev.belay.workflow.Problem;
import dev.belay.workflow.Suggestion;
import dev.belay.workflow.tree.Place;
import dev.belay.workflow.tree.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Faults of triggers as problems of the files that have them.
 *
 * @param system null when the set has no system file
 */
record TriggerProblems(List<File> files, FileSet.@Nullable SystemFile system) {

  /** A workflow file, and the places at which its triggers name something. */
  record File(Workflow workflow, String name, List<TriggerUse> uses) {

    static File of(FileSet.Workflow file) {
      return new File(
          new Workflow(file.tenant(), file.name()), file.source().file(), file.triggers());
    }

    Optional<Place> place(Named what, String name) {
      return uses.stream()
          .filter(use -> use.what() == what && use.name().equals(name))
          .map(TriggerUse::at)
          .findFirst();
    }
  }

  static TriggerProblems of(FileSet.Valid set) {
    return new TriggerProblems(set.workflows().stream().map(File::of).toList(), set.system());
  }

  static TriggerNeeds needs(List<TriggerUse> uses) {
    return uses.isEmpty()
        ? TriggerNeeds.NONE
        : new TriggerNeeds(names(uses, Named.CALENDAR), names(uses, Named.WORKFLOW));
  }

  private static Set<String> names(List<TriggerUse> uses, Named what) {
    return uses.stream()
        .filter(use -> use.what() == what)
        .map(TriggerUse::name)
        .collect(Collectors.toSet());
  }

  List<Problem> of(List<TriggerFault> faults) {
    return faults.stream().map(this::of).toList();
  }

  private Problem of(TriggerFault fault) {
    return switch (fault) {
      case TriggerFault.NoCalendar none ->
          at(none.workflow(), Named.CALENDAR, none.calendar(), message(fault));
      case TriggerFault.CalendarInUse _ ->
          system == null
              ? new Problem("", Position.START, message(fault))
              : new Problem(system.source().file(), system.calendarsAt(), message(fault));
      case TriggerFault.Circle circle -> circle(circle);
    };
  }

  /** At a trigger of the set that is part of the circle. */
  private Problem circle(TriggerFault.Circle circle) {
    var names = circle.workflows();
    for (int i = 1; i < names.size(); i++) {
      var workflow = new Workflow(circle.tenant(), names.get(i));
      var upstream = names.get(i - 1);
      boolean here =
          files.stream()
              .anyMatch(
                  file ->
                      file.workflow().equals(workflow)
                          && file.place(Named.WORKFLOW, upstream).isPresent());
      if (here) {
        return at(workflow, Named.WORKFLOW, upstream, message(circle));
      }
    }
    throw new IllegalStateException("the stored workflows are a circle: " + names);
  }

  private Problem at(Workflow workflow, Named what, String name, String message) {
    var file =
        files.stream().filter(each -> each.workflow().equals(workflow)).findFirst().orElseThrow();
    return new Problem(file.name(), file.place(what, name).orElse(Position.START), message);
  }

  /** For people, without a place. */
  static String message(TriggerFault fault) {
    return switch (fault) {
      case TriggerFault.NoCalendar none ->
          "no system file declares the calendar '%s'%s"
              .formatted(
                  none.calendar(),
                  Suggestion.nearest(none.calendar(), none.known())
                      .map("; did you mean '%s'?"::formatted)
                      .orElse("; declare it under 'calendars' of the system file"));
      case TriggerFault.CalendarInUse used ->
          "the trigger '%s' of the workflow %s uses the calendar '%s'; keep it, or apply the workflow without it in the same set"
              .formatted(used.trigger(), shown(used.workflow()), used.calendar());
      case TriggerFault.Circle circle ->
          "workflows would start each other for ever: %s; remove one of these triggers"
              .formatted(path(circle.workflows()));
    };
  }

  private static final int SHOWN_NAMES_MAX = 20;

  private static String path(List<String> names) {
    return names.size() <= SHOWN_NAMES_MAX
        ? String.join(" -> ", names)
        : "%s -> ... (%d more) -> %s"
            .formatted(
                String.join(" -> ", names.subList(0, SHOWN_NAMES_MAX)),
                names.size() - SHOWN_NAMES_MAX - 1,
                names.getLast());
  }

  private static String shown(Workflow workflow) {
    return workflow.tenant().equals(WorkflowSpec.DEFAULT_TENANT)
        ? "'" + workflow.name() + "'"
        : "'%s' of the tenant '%s'".formatted(workflow.name(), workflow.tenant());
  }

  /** Triggers that wait for a workflow that does not exist: perhaps a typing error. */
  List<Problem> warnings(Set<Workflow> missing) {
    return files.stream()
        .flatMap(
            file ->
                file.uses().stream()
                    .filter(
                        use ->
                            use.what() == Named.WORKFLOW
                                && missing.contains(
                                    new Workflow(file.workflow().tenant(), use.name())))
                    .map(
                        use ->
                            new Problem(
                                file.name(),
                                use.at(),
                                "there is no workflow '%s' yet, so this trigger starts nothing"
                                    .formatted(use.name()))))
        .limit(FileSet.PROBLEMS_MAX)
        .toList();
  }
}
