package dev.belay.workflow;

import dev.belay.workflow.FileSet.Source;
import dev.belay.workflow.FileSet.SystemFile;
import dev.belay.workflow.FileSet.Workflow;
import dev.belay.workflow.tree.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Reads the files of one set, on one thread. */
final class FileSetReader {

  private final FileSet.Limits limits;
  private final List<Problem> problems = new ArrayList<>();
  private final List<Workflow> workflows = new ArrayList<>();
  private final Map<String, First> firstOfName = new HashMap<>();
  private @Nullable SystemFile system;
  private long chars;

  FileSetReader(FileSet.Limits limits) {
    this.limits = limits;
  }

  private record First(String file, Place at) {}

  FileSet read(List<Source> sources) {
    for (Source source : sources) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("nobody waits for this set");
      }
      read(source);
      if (chars > limits.charsMax()) {
        return new FileSet.TooLarge(source);
      }
      if (problems.size() >= FileSet.PROBLEMS_MAX) {
        break;
      }
    }
    return problems.isEmpty()
        ? new FileSet.Valid(workflows, system)
        : new FileSet.Invalid(problems.subList(0, Math.min(FileSet.PROBLEMS_MAX, problems.size())));
  }

  private void read(Source source) {
    switch (BelayFile.parse(source.file(), source.text(), limits.valuesMax())) {
      case BelayFile.Invalid(var found) -> problems.addAll(found);
      case BelayFile.SystemFile file -> add(source, file);
      case BelayFile.Workflow file -> add(source, file);
    }
  }

  private void add(Source source, BelayFile.SystemFile file) {
    var first = system;
    if (first == null) {
      system = new SystemFile(source, file.spec(), file.calendarsAt());
      return;
    }
    problems.add(
        new Problem(
            source.file(),
            file.kindAt(),
            "a set has one system file, and %s is one; join them"
                .formatted(first.source().file())));
  }

  private void add(Source source, BelayFile.Workflow file) {
    var spec = file.spec();
    var first =
        firstOfName.putIfAbsent(
            spec.tenant() + " " + spec.name(), new First(source.file(), file.nameAt()));
    if (first != null) {
      problems.add(
          new Problem(
              source.file(),
              file.nameAt(),
              "the workflow '%s' is already in %s, %s; give one of them another name"
                  .formatted(spec.name(), first.file(), first.at().shown())));
      return;
    }
    var json = SpecCodec.toJson(spec);
    chars += json.length();
    workflows.add(
        new Workflow(
            source,
            spec.tenant(),
            spec.name(),
            spec.tasks().size(),
            json,
            file.routes(),
            file.triggers()));
  }
}
