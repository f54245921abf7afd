package dev.belay.domain.backfill;

import dev.belay.domain.backfill.Existing.Found;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next instants of a backfill.
 *
 * @param decisions in the order of the backfill
 * @param next the first instant that is not decided; null when all are
 */
public record BackfillStep(List<Decision> decisions, @Nullable Instant next) {

  public BackfillStep {
    decisions = List.copyOf(decisions);
  }

  /**
   * The fate of an instant.
   *
   * @param skipped why it gets no run; null when it gets one
   */
  public record Decision(Instant at, @Nullable String skipped) {
    public boolean fires() {
      return skipped == null;
    }
  }

  /**
   * @param instants the next ones in order, one more than {@code max} when there are more
   * @param found the newest runs of those that have one
   * @param room how many runs it may create
   * @param max decides no more than this many
   */
  public static BackfillStep decide(
      List<Instant> instants, Map<Instant, Found> found, Existing existing, int room, int max) {
    List<Decision> decisions = new ArrayList<>();
    int fired = 0;
    for (Instant at : instants) {
      String skipped = existing.skips(found.get(at)).orElse(null);
      if (decisions.size() == max || (skipped == null && fired == room)) {
        return new BackfillStep(decisions, at);
      }
      decisions.add(new Decision(at, skipped));
      fired += skipped == null ? 1 : 0;
    }
    return new BackfillStep(decisions, null);
  }

  /** Without the decisions from this instant on. */
  public BackfillStep before(Instant at) {
    List<Decision> kept = new ArrayList<>();
    for (Decision decision : decisions) {
      if (decision.at().equals(at)) {
        return new BackfillStep(kept, at);
      }
      kept.add(decision);
    }
    return this;
  }

  public List<Instant> fires() {
    return decisions.stream().filter(Decision::fires).map(Decision::at).toList();
  }
}
