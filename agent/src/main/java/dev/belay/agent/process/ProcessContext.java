package dev.belay.agent.process;

import dev.belay.agent.state.Reserve;
import dev.belay.agent.wiring.Kernel;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * The outside world as the processes need it.
 *
 * @param ticker monotonic nanoseconds
 * @param kernel the kernel's counters
 * @param scheduler runs timers, which are short
 * @param background runs the pump loop, sweeps and removals on platform threads; must not queue
 *     behind the pump, which stays
 * @param inherited the agent's environment, of which tasks see a small part
 * @param account the user and umask of tasks
 * @param reserve receives shortages, and makes room
 */
public record ProcessContext(
    InstantSource clock,
    LongSupplier ticker,
    Kernel kernel,
    ScheduledExecutorService scheduler,
    Executor background,
    Map<String, String> inherited,
    TaskAccount account,
    Reserve reserve) {}
