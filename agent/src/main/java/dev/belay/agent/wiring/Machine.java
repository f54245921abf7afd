package dev.belay.agent.wiring;

import com.sun.management.OperatingSystemMXBean;
import dev.belay.domain.id.Ids;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The machine that an agent runs on.
 *
 * @param clock the time of day
 * @param ticker monotonic nanoseconds
 * @param kernel the kernel's counters
 * @param cpuPercent how busy the machine is, 0 to 100, over about ten seconds; one caller at a time
 * @param environment the agent's own, of which tasks see a small part
 */
public record Machine(
    InstantSource clock,
    LongSupplier ticker,
    Kernel kernel,
    RandomGenerator random,
    Ids ids,
    DoubleSupplier cpuPercent,
    String platform,
    Map<String, String> environment) {

  public static Machine real() {
    var clock = Clock.systemUTC();
    var random = new SecureRandom();
    var cpu = CpuCounters.meter(System::nanoTime).map(Machine::known).orElse(Machine::cpuLoad);
    return new Machine(
        clock,
        System::nanoTime,
        Kernel.real(),
        random,
        () -> Ids.v7(clock.millis(), random.nextLong(), random.nextLong()),
        cpu,
        System.getProperty("os.name") + "/" + System.getProperty("os.arch"),
        System.getenv());
  }

  public Machine withClock(InstantSource other) {
    return new Machine(other, ticker, kernel, random, ids, cpuPercent, platform, environment);
  }

  private static DoubleSupplier known(CpuMeter meter) {
    return () -> meter.percent().orElse(0);
  }

  /** Where the kernel has no counters. The first call is slow. */
  private static double cpuLoad() {
    var load = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    // Negative or NaN: not known (yet).
    return load > 0 ? 100 * load : 0;
  }
}
