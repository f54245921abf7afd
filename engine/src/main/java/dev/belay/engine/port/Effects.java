package dev.belay.engine.port;

import dev.belay.domain.reap.Recovered;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.util.List;
import java.util.Map;

/**
 * Effects of a committed transaction that metrics count.
 *
 * @param created tasks that planning created
 * @param topicsCreated of these, those that have a topic, by topic
 * @param tasksEnded how many tasks reached a terminal state, by state
 * @param topicsEnded of these, those that ended with an attempt and have a topic, by topic
 * @param runsEnded how many runs did
 * @param recovered detected stalls, each task or run once
 * @param alerts how many alerts were raised, by kind, except those for late recoveries
 * @param deadLetters of tasks that were given up
 */
public record Effects(
    int created,
    Map<String, Integer> topicsCreated,
    Map<TaskState, Integer> tasksEnded,
    Map<String, Map<TaskState, Integer>> topicsEnded,
    Map<RunState, Integer> runsEnded,
    List<Recovered> recovered,
    Map<String, Integer> alerts,
    List<DeadLettered> deadLetters) {

  public static final Effects NONE = ended(Map.of(), List.of());

  public static Effects ended(Map<TaskState, Integer> tasks, List<Recovered> recovered) {
    return new Effects(0, Map.of(), tasks, Map.of(), Map.of(), recovered, Map.of(), List.of());
  }

  public Effects ofTopics(Map<String, Map<TaskState, Integer>> topics) {
    return new Effects(
        created, topicsCreated, tasksEnded, topics, runsEnded, recovered, alerts, deadLetters);
  }

  public Effects withAlerts(Map<String, Integer> raised) {
    return new Effects(
        created, topicsCreated, tasksEnded, topicsEnded, runsEnded, recovered, raised, deadLetters);
  }

  public Effects withDeadLetters(List<DeadLettered> written) {
    return new Effects(
        created, topicsCreated, tasksEnded, topicsEnded, runsEnded, recovered, alerts, written);
  }
}
