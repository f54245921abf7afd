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

  @Override
  public int compareTo(Rank other) {
    if (overloaded != other.overloaded) {
      return overloaded ? 1 : -1;
    }
    if (lastChoice != other.lastChoice) {
      return lastChoice ? 1 : -1;
    }
    int order = Double.compare(score, other.score);
    if (order == 0) {
      order = Long.compare(turn, other.turn);
    }
    return order == 0 ? load.id().compareTo(other.load.id()) : order;
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
