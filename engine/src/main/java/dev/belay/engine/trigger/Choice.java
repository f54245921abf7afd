package dev.belay.engine.trigger;

import dev.belay.domain.trigger.SkipReason;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.TriggerTarget.Limit;
import dev.belay.engine.statement.ScheduleStatements.NewRun;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is not written yet.
 *
 * @param key the row
 * @param start the run to start, if the verdict is that it fired
 */
record Choice<K>(K key, Verdict verdict, @Nullable Start start) {

  /**
   * @param limit of the runs of its workflow
   */
  record Start(NewRun run, Limit limit) {}

  /**
   * Of several choices about one row only the first counts: a second one would start a run, too.
   */
  static <K> List<Choice<K>> open(List<Choice<K>> choices, Set<K> undecided) {
    var left = new HashSet<>(undecided);
    return choices.stream().filter(choice -> left.remove(choice.key())).toList();
  }

  static <K> Choice<K> of(K key, Verdict verdict) {
    return new Choice<>(key, verdict, null);
  }

  static <K> Choice<K> skip(K key, SkipReason reason) {
    return of(key, new Verdict.Skipped(reason.word()));
  }

  static <K> Choice<K> skip(K key, SkipReason reason, String details) {
    return of(key, new Verdict.Skipped(reason.word(details)));
  }

  static <K> Choice<K> start(K key, NewRun run, Limit limit) {
    return new Choice<>(key, new Verdict.Fired(run.id()), new Start(run, limit));
  }
}
