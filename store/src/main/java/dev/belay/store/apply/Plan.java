package dev.belay.store.apply;

import dev.belay.store.intake.SpecHash;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What applying a set does, or did.
 *
 * @param system null when the set has no system file
 */
public record Plan(List<Step> steps, @Nullable SystemStep system) {

  public Plan {
    steps = List.copyOf(steps);
  }

  /** What happens to one workflow, or to the system file. */
  public enum Action {
    CREATE,
    CHANGE,
    /** It was deleted; it may change, too. */
    RESTORE,
    UNCHANGED,
    PAUSE,
    DELETE;

    public boolean changes() {
      return this != UNCHANGED;
    }
  }

  /**
   * @param version the latest version after this
   * @param earlier the latest version before this; 0 when there was none
   * @param specHash of the file, in hex; empty for a workflow without one
   * @param before the source of the earlier version; null when it is the same, absent or too large
   */
  public record Step(
      Action action,
      String tenant,
      String name,
      int version,
      int earlier,
      String specHash,
      @Nullable String before) {

    boolean addsVersion() {
      return version > earlier;
    }
  }

  /**
   * @param before the source of the system file so far; null when there was none or it is the same
   */
  public record SystemStep(Action action, String specHash, @Nullable String before) {}

  public boolean changes() {
    return steps.stream().anyMatch(step -> step.action().changes())
        || (system != null && system.action().changes());
  }

  /** Equal for plans that do the same to the same versions. */
  public String token() {
    var text = new StringBuilder();
    for (var step : steps) {
      text.append(
          "%s %s %s %d %s\n"
              .formatted(
                  step.action(), step.tenant(), step.name(), step.earlier(), step.specHash()));
    }
    if (system != null) {
      text.append("%s %s %s\n".formatted(system.action(), system.specHash(), system.before()));
    }
    return HexFormat.of().formatHex(SpecHash.of(text.toString()));
  }
}
