package dev.belay.agent.process;

import dev.belay.agent.state.Reserve;
import dev.belay.agent.wiring.Kernel;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * What the processes need of the world.
 *
 * @param ticker monotonic nanoseconds
 * @param kernel what only the kernel knows
 * @param scheduler runs timers; they are short
 * @param background runs the pump loop, sweeps and removals on platform threads; must not queue
 *     behind the pump, which stays
 * @param inherited the agent's environment, of which tasks see a small part
 * @param account as whom tasks run
 * @param reserve told of what is lacking, and asked for room
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
