package dev.belay.workflow;

import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.YamlReader;
import java.util.Optional;

/** Reads workflow files. YAML includes JSON, so a workflow posted as JSON is read the same way. */
public final class WorkflowFile {

  private WorkflowFile() {}

  /**
   * @param fileName as the user knows the file; in each problem, and the default name of a workflow
   *     with a single {@code task}
   */
  public static Parsed parse(String fileName, String text) {
    return parse(fileName, text, YamlReader.EXPANDED_NODES_MAX);
  }

  /**
   * @param valuesMax the most values that the file may have, with every alias written out
   */
  public static Parsed parse(String fileName, String text, int valuesMax) {
    Problems problems = new Problems(fileName);
    Optional<Node> root = YamlReader.read(text, valuesMax, problems::add);
    return root.isPresent()
        ? parse(fileName, root.get(), problems)
        : new Parsed.Invalid(problems.list());
  }

  private static Parsed parse(String fileName, Node root, Problems problems) {
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
