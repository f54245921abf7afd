package dev.belay.workflow;

import dev.belay.domain.run.RunState;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The words of {@code on}: how a run of another workflow must end. */
final class TriggerEnds {

  private static final String ANY = "ended";
  static final List<String> WORDS = List.of("succeeded", "failed", "cancelled", ANY);
  static final Set<RunState> DEFAULT = Set.of(RunState.SUCCEEDED);

  private TriggerEnds() {}

  static Set<RunState> states(List<String> words) {
    Set<RunState> states = EnumSet.noneOf(RunState.class);
    for (String word : words) {
      if (word.equals(ANY)) {
        states.addAll(EnumSet.of(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED));
      } else {
        states.add(RunState.valueOf(word.toUpperCase(Locale.ROOT)));
      }
    }
    return states;
  }
}
