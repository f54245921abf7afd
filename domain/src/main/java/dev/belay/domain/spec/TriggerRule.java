package dev.belay.domain.spec;

import java.util.Locale;

/** When a task may start, given its dependencies. The rules mean the same as in Airflow. */
public enum TriggerRule {
  ALL_SUCCESS,
  ALL_FAILED,
  ALL_DONE,
  ALL_SKIPPED,
  ONE_SUCCESS,
  ONE_FAILED,
  ONE_DONE,
  NONE_FAILED,
  NONE_FAILED_MIN_ONE_SUCCESS,
  NONE_SKIPPED,
  ALWAYS;

  /** The word in a workflow file. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
