package dev.belay.server.api;

import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.Setting;
import dev.belay.settings.Settings;

/**
 * The memory of all requests of this server: incoming bodies, work on them, and unwritten answers.
 * The limits suit a large heap; a small heap lowers them.
 */
record Memory(Budget bodies, Budget work, Budget answers) {

  /** Most submits and nearly all answers are smaller. */
  static final long SMALL_BYTES = 64 << 10;

  /** A small body with the objects made from it. */
  private static final long SMALL_WORK_BYTES = 1 << 20;

  /** Parsing, checking and storing a body takes this many times its size. */
  static final int COPIES = 6;

  static Memory of(Settings settings, long heapBytes, BelayMetrics metrics) {
    var memory =
        new Memory(
            new Budget(
                bounded(settings, RequestGroup.BODIES_MEMORY_MAX, heapBytes / 8), SMALL_BYTES),
            new Budget(
                bounded(settings, RequestGroup.WORK_MEMORY_MAX, heapBytes / 4), SMALL_WORK_BYTES),
            new Budget(
                bounded(settings, RequestGroup.ANSWERS_MEMORY_MAX, heapBytes / 8), SMALL_BYTES));
    metrics.watch(Metric.BODY_BYTES, memory.bodies::inUse);
    metrics.watch(Metric.WORK_BYTES, memory.work::inUse);
    metrics.watch(Metric.ANSWER_BYTES, memory.answers::inUse);
    return memory;
  }

  private static long bounded(Settings settings, Setting<Long> limit, long most) {
    return Math.min(settings.of(limit), most);
  }
}
