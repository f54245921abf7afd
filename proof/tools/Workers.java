import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.agent.Agent;
import dev.belay.agent.AgentBounds;
import dev.belay.agent.AgentSettings;
import dev.belay.agent.handler.Handler;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.session.wire.Offer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Many workers of a cluster in one process: real agents, whose tasks are calls instead of
 * processes. `sleep SECONDS` sleeps and succeeds; any other command succeeds at once. A worker that
 * is broken fails everything after 10 ms.
 *
 * <p>java -cp LIB Workers.java CLUSTER-FOLDER FOLDER NAME:POOL:SLOTS[:broken]...
 */
final class Workers {

  private static final Duration BROKEN_AFTER = Duration.ofMillis(10);

  private Workers() {}

  public static void main(String[] args) throws Exception {
    var cluster = Path.of(args[0]);
    var servers = new ArrayList<URI>();
    new JsonMapper()
        .readTree(Files.readAllBytes(cluster.resolve("cluster.json")))
        .path("replicas")
        .forEach(replica -> servers.add(URI.create(replica.path("url").asText())));
    for (int i = 2; i < args.length; i++) {
      var parts = args[i].split(":");
      var agent =
          Agent.start(
              new AgentSettings(
                  parts[0],
                  servers,
                  cluster.resolve("join-token"),
                  Path.of(args[1]).resolve(parts[0]),
                  new Offer(List.of(parts[1]), Integer.parseInt(parts[2]), Map.of()),
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(1),
                  10L << 20,
                  TaskAccount.SAME,
                  ReserveSettings.defaults(),
                  AgentBounds.defaults()),
              handler(parts.length > 3));
      var _ = agent.gaveUp().thenAccept(System.out::println);
      Runtime.getRuntime().addShutdownHook(new Thread(agent::close));
    }
    Thread.currentThread().join();
  }

  private static Handler handler(boolean broken) {
    return dispatch -> {
      if (broken) {
        Thread.sleep(BROKEN_AFTER);
        return 1;
      }
      if (dispatch.getArgv(0).equals("sleep")) {
        Thread.sleep(Math.round(Double.parseDouble(dispatch.getArgv(1)) * 1_000));
      }
      return 0;
    };
  }
}
