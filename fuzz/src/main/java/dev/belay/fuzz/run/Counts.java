package dev.belay.fuzz.run;

import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Request;
import java.util.Map;
import java.util.TreeMap;

/** Answers by route and status. Thread-safe. */
public final class Counts {

  private final Map<String, Map<String, Long>> byRoute = new TreeMap<>();
  private long total;
  private long refused;

  synchronized void add(Request request, Answer answer) {
    total++;
    if (!answer.isAccepted()) {
      refused++;
    }
    byRoute
        .computeIfAbsent(request.route(), _ -> new TreeMap<>())
        .merge(answer.word(), 1L, Long::sum);
  }

  public synchronized long total() {
    return total;
  }

  public synchronized long refused() {
    return refused;
  }

  public synchronized Map<String, Map<String, Long>> byRoute() {
    var copy = new TreeMap<String, Map<String, Long>>();
    byRoute.forEach((route, counts) -> copy.put(route, Map.copyOf(counts)));
    return copy;
  }

  /** Whether the route's own handler accepted a request and refused one. */
  public synchronized boolean isCovered(String route) {
    var counts = byRoute.getOrDefault(route, Map.of());
    return counts.keySet().stream().anyMatch(word -> word.startsWith("2"))
        && counts.keySet().stream().anyMatch(word -> word.startsWith("4"));
  }
}
