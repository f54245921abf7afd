package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import dev.belay.store.apply.WantedSet;
import dev.belay.store.apply.WantedSet.NewSystem;
import dev.belay.store.apply.WantedSet.Prune;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.system.Declarations.OfFile;
import dev.belay.workflow.FileSet;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A client's request to apply a set of files, all of which are valid.
 *
 * @param plan the token of the plan that a person confirmed; null when nobody was asked
 */
record Apply(FileSet.Valid set, Prune prune, boolean dryRun, @Nullable String plan) {

  private static final int FILE_NAME_CHARS_MAX = 4_000;

  /** Reads and checks the body; only for a thread that may compute. */
  static Apply of(byte[] bytes, FileSet.Limits limits) {
    var problems = new Problems("");
    var reading = new Reading(problems);
    JsonText.body(bytes, problems).entries().forEach(reading::add);
    if (problems.isEmpty() && reading.sources.isEmpty()) {
      problems.add(
          new FieldPath(FieldPath.ROOT, "files", 0, 0), "must have at least one file to apply");
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The request is not valid; nothing was applied.");
    }
    return switch (FileSet.parse(reading.sources, limits)) {
      case FileSet.Valid set -> new Apply(pruned(set, reading.prune), reading);
      case FileSet.Invalid(var found) ->
          throw Refused.invalid(found, "The files have errors; nothing was applied.");
      case FileSet.TooLarge(var at) ->
          throw new Refused(
              Problem.of(
                      HttpStatus.UNPROCESSABLE_ENTITY,
                      "With all aliases and defaults written out, the set is too large at "
                          + at.file()
                          + "; nothing was applied. Apply it in parts, without pruning, or raise"
                          + " the limit body-max of the server.")
                  .ofType("body-too-complex"));
    };
  }

  private Apply(FileSet.Valid set, Reading reading) {
    this(set, reading.prune, reading.dryRun, reading.plan);
  }

  private static FileSet.Valid pruned(FileSet.Valid set, Prune prune) {
    if (prune != Prune.KEEP && set.workflows().isEmpty()) {
      throw new Refused(
          HttpStatus.UNPROCESSABLE_ENTITY,
          "A set without a workflow prunes nothing; nothing was applied. Add the workflows that"
              + " stay.");
    }
    return set;
  }

  WantedSet wanted() {
    var system = set.system();
    return new WantedSet(
        set.workflows().stream()
            .map(
                each ->
                    new NewWorkflow(
                        each.tenant(),
                        each.name(),
                        each.taskCount(),
                        each.spec(),
                        each.source().text(),
                        TriggerProblems.needs(each.triggers())))
            .toList(),
        system == null
            ? null
            : new NewSystem(
                system.spec().toJson(),
                system.source().text(),
                new OfFile(system.spec().pools(), system.spec().topics(), system.spec().tenants()),
                system.spec().calendars()),
        prune);
  }

  private static final class Reading {
    private final Problems problems;
    private final List<FileSet.Source> sources = new ArrayList<>();
    private Prune prune = Prune.KEEP;
    private boolean dryRun;
    private @Nullable String plan;

    Reading(Problems problems) {
      this.problems = problems;
    }

    void add(Node.Entry entry) {
      switch (entry.name()) {
        case "files" -> files(entry);
        case "prune" -> prune(entry);
        case "dry_run" -> {
          if (entry.value().value() instanceof Boolean given) {
            dryRun = given;
          } else {
            problems.add(entry.at(), "must be true or false");
          }
        }
        case "plan" -> {
          if (entry.value().value() instanceof String token) {
            plan = token;
          } else if (entry.value().value() != null) {
            problems.add(entry.at(), "must be the plan of a dry run");
          }
        }
        default ->
            problems.add(entry.at(), "unknown field; an apply has files, prune, dry_run and plan");
      }
    }

    private void prune(Node.Entry entry) {
      for (var each : Prune.values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(entry.value().value())) {
          prune = each;
          return;
        }
      }
      problems.add(entry.at(), "must be keep, pause or delete");
    }

    private void files(Node.Entry entry) {
      if (!(entry.value() instanceof Node.Sequence list)) {
        problems.add(entry.at(), "must be a list of {\"file\", \"source\"}");
        return;
      }
      for (var item : list.items()) {
        if (item instanceof Node.Mapping mapping
            && mapping.entries().size() == 2
            && mapping.value().get("file") instanceof String file
            && !file.isEmpty()
            && file.length() <= FILE_NAME_CHARS_MAX
            && mapping.value().get("source") instanceof String source) {
          sources.add(new FileSet.Source(file, source));
        } else {
          problems.add(item.at(), "must be {\"file\": its name, \"source\": its text}");
        }
      }
    }
  }
}
