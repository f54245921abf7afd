package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** What a client may ask of a server. */
public final class RequestGroup {

  static final Group GROUP = new Group("Requests", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Long> BODY_MAX =
      GROUP.add(bytes("body-max", "8MiB", "1KiB", "256MiB", "the largest body of a request"));

  public static final Setting<Long> BODIES_MEMORY_MAX =
      GROUP.add(
          bytes(
              "bodies-memory-max",
              "64MiB",
              "1MiB",
              "64GiB",
              "memory for bodies on their way; at most 1/8 of the heap"));

  public static final Setting<Long> WORK_MEMORY_MAX =
      GROUP.add(
          bytes(
              "work-memory-max",
              "256MiB",
              "4MiB",
              "64GiB",
              "memory for work on requests, estimated; at most 1/4 of the heap"));

  public static final Setting<Long> ANSWERS_MEMORY_MAX =
      GROUP.add(
          bytes(
              "answers-memory-max",
              "64MiB",
              "1MiB",
              "64GiB",
              "memory for answers not yet written; at most 1/8 of the heap"));

  public static final Setting<Duration> REQUEST_TIME_MAX =
      GROUP.add(
          duration(
              "request-time-max",
              "30s",
              "100ms",
              "1h",
              "the longest time of an ordinary call, from its whole body"));

  public static final Setting<Integer> SUBMITS_AT_ONCE =
      GROUP.add(
          count(
              "submits-at-once",
              16,
              1,
              10_000,
              "requests with a body in work at once, for each route"));

  public static final Setting<Long> UPLOAD_RATE_MIN =
      GROUP.add(
          bytes(
              "upload-rate-min",
              "4KiB",
              "1B",
              "1GiB",
              "bytes a second below which a body is cut off"));

  public static final Setting<Duration> UPLOAD_STALL_MAX =
      GROUP.add(
          duration(
              "upload-stall-max",
              "5s",
              "100ms",
              "1h",
              "the time over which the rate of a body is measured"));

  public static final Setting<Duration> UPLOAD_TIME_MAX =
      GROUP.add(
          duration(
              "upload-time-max",
              "1m",
              "100ms",
              "1d",
              "the longest time that a body may take to come"));

  public static final Setting<Duration> ANSWER_STALL_MAX =
      GROUP.add(
          duration(
              "answer-stall-max",
              "10s",
              "1s",
              "1h",
              "a client that reads nothing of its answer for so long is cut off"));

  public static final Setting<Duration> ANSWER_TIME_MAX =
      GROUP.add(
          duration(
              "answer-time-max",
              "2m",
              "1s",
              "1d",
              "the longest time that one answer may take to be read"));

  public static final Setting<Duration> WAIT_MAX =
      GROUP.add(duration("wait-max", "1m", "100ms", "10m", "the longest wait of one API call"));

  public static final Setting<Integer> WAITERS_MAX =
      GROUP.add(count("waiters-max", 1_000, 1, 100_000, "calls that wait or follow a log at once"));

  public static final Setting<Integer> SUBMIT_MAX_TASKS =
      GROUP.add(count("submit-max-tasks", 1_000, 1, 100_000, "the most tasks in one submit"));

  public static final Setting<Integer> PAGE_MAX =
      GROUP.add(count("page-max", 500, 1, 1_000, "the most items on one page of a list"));

  public static final Setting<Integer> CHECK_THREADS =
      GROUP.add(
          count("check-threads", 1, 1, 256, "threads that check small, and large, requests")
              .byDefault("half of the processors, at least 1", _ -> Machine.halfOfTheProcessors()));

  public static final Setting<Integer> CHECK_QUEUE =
      GROUP.add(
          count(
              "check-queue", 32, 1, 10_000, "small, and large, requests that wait to be checked"));

  public static final Setting<Long> CHECK_SMALL_MAX =
      GROUP.add(
          bytes(
              "check-small-max",
              "32KiB",
              "1KiB",
              "256MiB",
              "requests up to this size do not wait for larger ones"));

  public static final Setting<Duration> CHECK_MAX =
      GROUP.add(
          duration(
              "check-max", "20s", "10ms", "1h", "the longest time in which a request is checked"));

  static {
    GROUP.add(
        Rule.atMost(
            UPLOAD_STALL_MAX,
            UPLOAD_TIME_MAX,
            "the rate must be measured while a body comes",
            "upload-stall-max=2m"));
    GROUP.add(
        Rule.atMost(
            ANSWER_STALL_MAX,
            ANSWER_TIME_MAX,
            "a stalled answer must be cut off before a slow one",
            "answer-stall-max=3m"));
    GROUP.add(
        Rule.atMost(BODY_MAX, BODIES_MEMORY_MAX, "one body must fit", "bodies-memory-max=4MiB"));
  }

  private RequestGroup() {}
}
