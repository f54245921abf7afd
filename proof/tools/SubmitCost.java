import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Executable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * SubmitCost BODY ROUNDS MILLIS: the time of the processor that one task of a bulk of 500 costs
 * from its bytes to what is stored, in microseconds: first the guard, then all. Prints one line for
 * each round; the rounds before are for the compiler.
 */
public class SubmitCost {

  private static final int TASKS = 500;
  private static final String PACKAGE = "dev.belay.server.api.";

  public static void main(String[] args) throws Throwable {
    var body = body(args[0]).getBytes(StandardCharsets.UTF_8);
    var guard = constructor("JsonGuard").invoke(Settings.of(ProcessKind.LITE));
    var cost = method("JsonGuard", "cost").bindTo(guard);
    var request = HttpRequest.of(HttpMethod.POST, "/api/v1/tasks");
    var call =
        constructor("Call").invoke(ServiceRequestContext.of(request), request, null, body, null);
    var of = method("Submit", "of");
    for (int round = -Integer.parseInt(args[1]); round < Integer.parseInt(args[1]); round++) {
      var guarded = micros(Long.parseLong(args[2]), () -> cost.invoke(body));
      var read = micros(Long.parseLong(args[2]), () -> of.invoke(call, body, TASKS));
      if (round >= 0) {
        System.out.printf("%s %.3f %.3f%n", args[0], guarded, guarded + read);
      }
    }
  }

  private interface Work {
    Object act() throws Throwable;
  }

  private static double micros(long millis, Work work) throws Throwable {
    var threads = ManagementFactory.getThreadMXBean();
    var began = threads.getCurrentThreadCpuTime();
    var spent = 0L;
    var times = 0;
    for (; spent < millis * 1_000_000; spent = threads.getCurrentThreadCpuTime() - began) {
      if (work.act() == null) {
        throw new IllegalStateException("nothing was read");
      }
      times++;
    }
    return spent / 1e3 / times / TASKS;
  }

  private static String body(String kind) {
    return IntStream.range(0, TASKS)
        .mapToObj(i -> task(kind, i))
        .collect(Collectors.joining(",", "{\"tasks\":[", "]}"));
  }

  private static String task(String kind, int i) {
    return switch (kind) {
      case "plain" -> "{\"command\":[\"noop\"],\"pool\":\"bench\"}";
      case "keyed" ->
          "{\"idempotency_key\":\"k%d\",\"command\":[\"noop\"],\"pool\":\"bench\"}".formatted(i);
      case "rich" ->
          """
          {"name": "load-%d", "command": ["/usr/bin/python3", "-m", "etl.load", "--day", "2026-01-31", "--part", "%d"],
           "env": {"PGHOST": "db-1.example", "PGUSER": "etl", "MODE": "full"}, "labels": {"team": "data", "cost": "k-12"},
           "retry": {"max": 3, "backoff": {"initial": "5s", "factor": 1.5, "max": "2m"}}, "exit_codes": {"42": "fatal"},
           "execution_timeout": "1h30m", "priority": 70, "pool": "etl", "tenant": "data", "deadline": "1d"}
          """
              .formatted(i, i);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static MethodHandle constructor(String type) throws ReflectiveOperationException {
    var found = Class.forName(PACKAGE + type).getDeclaredConstructors()[0];
    found.setAccessible(true);
    return MethodHandles.lookup().unreflectConstructor(found);
  }

  private static MethodHandle method(String type, String name) throws ReflectiveOperationException {
    var found =
        Arrays.stream(Class.forName(PACKAGE + type).getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    ((Executable) found).setAccessible(true);
    return MethodHandles.lookup().unreflect(found);
  }
}
