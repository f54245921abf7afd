package dev.belay.workflow;

import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.YamlReader;
import java.util.Optional;

/** Reads workflow files. YAML includes JSON, so it also reads a workflow posted as JSON. */
public final class WorkflowFile {

  private WorkflowFile() {}

  /**
   * @param fileName for problems, as the user knows it, and the default name of a workflow with a
   *     single {@code task}
   */
  public static Parsed parse(String fileName, String text) {
    return parse(fileName, text, YamlReader.EXPANDED_NODES_MAX);
  }

  /**
   * @param valuesMax limit of values in the file, with every alias expanded
   */
  public static Parsed parse(String fileName, String text, int valuesMax) {
    Problems problems = new Problems(fileName);
    Optional<Node> root = YamlReader.read(text, valuesMax, problems::add);
    return root.isPresent()
        ? parse(fileName, root.get(), problems)
        : new Parsed.Invalid(problems.list());
  }

  static Parsed parse(String fileName, Node root, Problems problems) {
    var system = BelayFile.systemKind(root);
    if (system.isPresent()) {
      problems.add(system.get().at(), BelayFile.NO_WORKFLOW);
      return new Parsed.Invalid(problems.list());
    }
    Value read = new ShapeReader(problems).read(() -> "the file", root, Keys.FILE);
    if (read instanceof Value.Fields file) {
      WorkflowSpec spec = new SpecBuilder(fileName, file, problems).build();
      if (problems.isEmpty() && spec != null) {
        return new Parsed.Valid(spec);
      }
    }
    return new Parsed.Invalid(problems.list());
  }
}
