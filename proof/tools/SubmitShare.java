import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * SubmitShare RECORDING SECONDS: how many samples of the server's last seconds lie in the API's own
 * work on submits (it parses, checks and answers; what the store does for it is not counted), and
 * how many there are in all.
 */
public class SubmitShare {

  public static void main(String[] args) throws Exception {
    var samples = new ArrayList<RecordedEvent>();
    try (var file = new RecordingFile(Path.of(args[0]))) {
      while (file.hasMoreEvents()) {
        var event = file.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")
            && event.getStackTrace() != null) {
          samples.add(event);
        }
      }
    }
    var end =
        samples.stream().map(RecordedEvent::getStartTime).max(Instant::compareTo).orElseThrow();
    var from = end.minus(Duration.ofSeconds(Long.parseLong(args[1])));
    var top = new TreeMap<String, Integer>();
    var all = 0;
    var submit = 0;
    for (var sample : samples) {
      if (sample.getStartTime().isBefore(from)) {
        continue;
      }
      all++;
      var frames =
          sample.getStackTrace().getFrames().stream()
              .map(
                  frame ->
                      frame.getMethod().getType().getName() + "." + frame.getMethod().getName())
              .toList();
      if (frames.stream().noneMatch(frame -> frame.startsWith("dev.belay.store."))
          && frames.stream().anyMatch(frame -> frame.startsWith("dev.belay.server.api."))) {
        submit++;
        frames.stream()
            .filter(frame -> frame.startsWith("dev.belay."))
            .findFirst()
            .ifPresent(frame -> top.merge(frame, 1, Integer::sum));
      }
    }
    top.entrySet().stream()
        .sorted((a, b) -> b.getValue() - a.getValue())
        .limit(12)
        .forEach(entry -> System.out.println("  " + entry.getValue() + " " + entry.getKey()));
    System.out.printf("submit %d of %d samples, %.1f %%%n", submit, all, 100.0 * submit / all);
  }
}
