package dev.belay.settings;

import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.flag;
import static dev.belay.settings.Setting.share;

import java.time.Duration;

/** How the leader chooses the next task and its worker. */
public final class RoutingGroup {

  static final Group GROUP = new Group("Routing", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> PRIORITY_AGEING =
      GROUP.add(
          duration(
              "priority-ageing",
              "0s",
              "0s",
              "30d",
              "a task gains one point of priority each time it has waited this long; 0s means"
                  + " never"));

  public static final Setting<Double> LAST_CHOICE_SHARE =
      GROUP.add(
          share(
              "last-choice-share",
              "0.9",
              "0.01",
              "1",
              "a worker with this share of its slots taken gets tasks only after the others"));

  public static final Setting<Boolean> AVOID_OVERLOADED =
      GROUP.add(
          flag(
                  "avoid-overloaded",
                  "a worker whose cpu or gpu is overloaded gets nothing while another one has room")
              .byDefault("true")
              .inLite("false"));

  public static final Setting<Double> OVERLOADED_SHARE =
      GROUP.add(
          share(
              "overloaded-share",
              "0.9",
              "0.01",
              "1",
              "the cpu or gpu of a worker is overloaded when this share of it is busy"));

  public static final Setting<Duration> RESERVATION_KEPT =
      GROUP.add(
          duration(
              "reservation-kept",
              "5s",
              "100ms",
              "10m",
              "slots are kept for a wide task for this long after it last found no room"));

  public static final Setting<Duration> REFUSED_FOR =
      GROUP.add(
          duration(
              "refused-for",
              "10s",
              "100ms",
              "1h",
              "a worker that could not start a task for lack of resources gets none for this"
                  + " long"));

  private RoutingGroup() {}
}
