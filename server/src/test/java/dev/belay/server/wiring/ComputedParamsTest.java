package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.engine.loop.Background;
import dev.belay.engine.schedule.RunParams.Answer;
import dev.belay.engine.schedule.RunParams.Facts;
import dev.belay.engine.schedule.RunParams.Request;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ComputedParamsTest {

  private static final WorkflowId VERSION = new WorkflowId(new UUID(0, 1));
  private static final Instant DAY = Instant.parse("2026-01-02T00:00:00Z");
  private static final String FILE =
      """
      name: w
      params:
        day: {type: string, default: "${{ run.logical_date }}"}
        mode: {type: enum, values: [full, part], default: part}
      tasks: [{name: a, command: [x]}]
      """;

  private static ComputedParams params(Background pool) {
    var spec = ((Parsed.Valid) WorkflowFile.parse("w.yaml", FILE)).spec();
    String json = SpecCodec.toJson(spec);
    return new ComputedParams(
        versions -> Map.of(versions.iterator().next(), json),
        new CelExpressions(),
        pool,
        Duration.ofMillis(1),
        () -> 0,
        10);
  }

  private static Request request(Map<String, Object> given) {
    var facts = new Facts(new RunId(new UUID(0, 2)), "default", "w", DAY, DAY);
    return new Request(VERSION, given, facts);
  }

  @Test
  void default_uses_the_instant_and_given_values_win() {
    assertThat(params(Background.DIRECT).resolve(request(Map.of("mode", "full"))))
        .isEqualTo(new Answer.Resolved("{\"day\":\"2026-01-02T00:00:00Z\",\"mode\":\"full\"}"));
  }

  @Test
  void values_that_do_not_fit_are_refused_with_the_reason() {
    var answer = params(Background.DIRECT).resolve(request(Map.of("mode", "half", "x", 1L)));
    assertThat(((Answer.Refused) answer).why()).contains("unknown parameter 'x'", "'mode'");
  }

  @Test
  void computed_default_without_room_is_asked_for_later_and_a_plain_value_needs_none() {
    var full = params(_ -> Optional.empty());
    assertThat(full.resolve(List.of(request(Map.of()), request(Map.of("day", "1")))))
        .containsExactly(
            new Answer.Busy(), new Answer.Resolved("{\"day\":\"1\",\"mode\":\"part\"}"));
  }

  @Test
  void computation_that_takes_too_long_is_abandoned() {
    boolean[] abandoned = {false};
    var ticket =
        new Background.Ticket() {
          @Override
          public Duration ran() {
            return Duration.ZERO;
          }

          @Override
          public void abandon() {
            abandoned[0] = true;
          }
        };
    assertThat(params(_ -> Optional.of(ticket)).resolve(request(Map.of())))
        .isEqualTo(new Answer.Busy());
    assertThat(abandoned[0]).isTrue();
  }
}
