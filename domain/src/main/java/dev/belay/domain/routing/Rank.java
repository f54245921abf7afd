package dev.belay.domain.routing;

/**
 * The place of a worker among those that may run a task, as it was at a version. Workers of equal
 * rank take turns.
 *
 * @param overloaded goes last
 * @param lastChoice goes late
 * @param score least first
 */
record Rank(
    WorkerLoad load, long version, boolean overloaded, boolean lastChoice, double score, long turn)
    implements Comparable<Rank> {

  private static final double LAST_CHOICE = 1_000;
  private static final double OVERLOADED = 1_000_000;

  @Override
  public int compareTo(Rank other) {
    int order = Double.compare(key(), other.key());
    if (order == 0) {
      order = Long.compare(turn, other.turn);
    }
    return order == 0 ? load.id().compareTo(other.load.id()) : order;
  }

  /** Everything but the turn in one number: a score is a small one. */
  double key() {
    return (overloaded ? OVERLOADED : 0) + (lastChoice ? LAST_CHOICE : 0) + score;
  }

  static Rank of(WorkerLoad load, Pool.Strategy strategy, RoutingSettings settings) {
    return switch (strategy) {
      case SPREAD ->
          new Rank(
              load,
              load.version(),
              load.isOverloaded(settings),
              load.isLastChoice(settings),
              load.score(),
              load.turn());
      // The fullest worker is the first choice here, until it is full.
      case PACK ->
          new Rank(load, load.version(), load.isOverloaded(settings), false, -load.score(), 0);
    };
  }

  boolean isCurrent() {
    return version == load.version();
  }
}
