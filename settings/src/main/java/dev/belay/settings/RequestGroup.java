package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** Limits of requests. */
public final class RequestGroup {

  static final Group GROUP = new Group("Requests", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Long> BODY_MAX =
      GROUP.add(bytes("body-max", "8MiB", "1KiB", "256MiB", "a request body may be this large"));

  public static final Setting<Long> BODIES_MEMORY_MAX =
      GROUP.add(
          bytes(
              "bodies-memory-max",
              "64MiB",
              "1MiB",
              "64GiB",
              "bodies that are arriving may take this much memory; at most 1/8 of the heap"));

  public static final Setting<Long> WORK_MEMORY_MAX =
      GROUP.add(
          bytes(
              "work-memory-max",
              "256MiB",
              "4MiB",
              "64GiB",
              "requests in work may take this much memory, by an estimate; at most 1/4 of the"
                  + " heap"));

  public static final Setting<Long> ANSWERS_MEMORY_MAX =
      GROUP.add(
          bytes(
              "answers-memory-max",
              "64MiB",
              "1MiB",
              "64GiB",
              "answers that are not yet written may take this much memory; at most 1/8 of the"
                  + " heap"));

  public static final Setting<Duration> REQUEST_TIME_MAX =
      GROUP.add(
          duration(
              "request-time-max",
              "30s",
              "100ms",
              "1h",
              "an ordinary call may take this long, counted from the end of its body"));

  public static final Setting<Integer> SUBMITS_AT_ONCE =
      GROUP.add(
          count(
              "submits-at-once",
              16,
              1,
              10_000,
              "each route works on this many requests with a body at once"));

  public static final Setting<Long> UPLOAD_RATE_MIN =
      GROUP.add(
          bytes(
              "upload-rate-min",
              "4KiB",
              "1B",
              "1GiB",
              "the server cuts off a body that arrives with fewer bytes per second"));

  public static final Setting<Duration> UPLOAD_STALL_MAX =
      GROUP.add(
          duration(
              "upload-stall-max",
              "5s",
              "100ms",
              "1h",
              "the server measures the rate of a body over this time"));

  public static final Setting<Duration> UPLOAD_TIME_MAX =
      GROUP.add(
          duration("upload-time-max", "1m", "100ms", "1d", "a body may take this long to arrive"));

  public static final Setting<Duration> ANSWER_STALL_MAX =
      GROUP.add(
          duration(
              "answer-stall-max",
              "10s",
              "1s",
              "1h",
              "the server disconnects a client that reads nothing of its answer for this long"));

  public static final Setting<Duration> ANSWER_TIME_MAX =
      GROUP.add(
          duration(
              "answer-time-max",
              "2m",
              "1s",
              "1d",
              "a client may take this long to read one answer"));

  public static final Setting<Duration> WAIT_MAX =
      GROUP.add(duration("wait-max", "1m", "100ms", "10m", "one API call may wait this long"));

  public static final Setting<Integer> WAITERS_MAX =
      GROUP.add(
          count(
              "waiters-max",
              1_000,
              1,
              100_000,
              "this many calls may wait or follow a log at once"));

  public static final Setting<Integer> SUBMIT_MAX_TASKS =
      GROUP.add(
          count("submit-max-tasks", 1_000, 1, 100_000, "one submit may hold this many tasks"));

  public static final Setting<Integer> PAGE_MAX =
      GROUP.add(count("page-max", 500, 1, 1_000, "one page of a list may hold this many items"));

  public static final Setting<Integer> CHECK_THREADS =
      GROUP.add(
          count(
                  "check-threads",
                  1,
                  1,
                  256,
                  "this many threads check small requests, and as many check large ones")
              .byDefault("half of the processors, at least 1", _ -> Machine.halfOfTheProcessors()));

  public static final Setting<Integer> CHECK_QUEUE =
      GROUP.add(
          count(
              "check-queue",
              32,
              1,
              10_000,
              "this many small requests may wait to be checked, and as many large ones"));

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
          duration("check-max", "20s", "10ms", "1h", "the check of a request may take this long"));

  static {
    GROUP.add(
        Rule.atMost(
            UPLOAD_STALL_MAX,
            UPLOAD_TIME_MAX,
            "the rate is measured while a body arrives",
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
