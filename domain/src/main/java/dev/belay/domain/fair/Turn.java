package dev.belay.domain.fair;

/** What a plan does with the task queue whose turn it is. */
public enum Turn {
  /** It gets one more task. */
  TAKE,
  /** The rest of the plan is without it. */
  SKIP_QUEUE,
  /** Without its workflow, within its group and priority. */
  SKIP_WORKFLOW,
  /** Without its tenant, within its group and priority. */
  SKIP_TENANT,
  /** Without its group, within its priority. */
  SKIP_GROUP
}
