package dev.belay.fuzz.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Answer.Outcome;
import dev.belay.fuzz.request.Request;
import dev.belay.fuzz.request.Request.Credential;
import dev.belay.fuzz.request.Request.End;
import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Trouble;
import dev.belay.fuzz.request.Request.Worker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerCheckTest {

  private static final Map<String, String> PROBLEM =
      Map.of("content-type", "application/problem+json");

  private static final String BODY =
      "{\"type\":\"about:blank\",\"title\":\"x\",\"status\":400,\"detail\":\"y\",\"errors\":[]}";

  @Test
  void a_500_is_found() {
    assertThat(rule(true, answer(500, PROBLEM, BODY.replace("400", "500")))).isEqualTo("5xx");
  }

  @Test
  void a_503_needs_a_time_to_come_back() {
    assertThat(rule(true, answer(503, PROBLEM, BODY))).isEqualTo("5xx");
    var later = Map.of("content-type", "application/problem+json", "retry-after", "1");
    assertThat(rule(true, answer(503, later, BODY.replace("400", "503")))).isEmpty();
  }

  @Test
  void a_505_is_right_for_a_wrong_version_only() {
    var wrong = answer(505, PROBLEM, BODY.replace("400", "505"));
    assertThat(rule(false, wrong)).isEmpty();
    assertThat(rule(true, wrong)).isEqualTo("5xx");
  }

  @Test
  void an_error_that_is_no_problem_json_is_found() {
    assertThat(rule(true, answer(400, Map.of("content-type", "text/plain"), "no")))
        .isEqualTo("shape");
    assertThat(rule(true, answer(400, PROBLEM, "{}"))).isEqualTo("shape");
    assertThat(rule(true, answer(404, PROBLEM, BODY))).isEqualTo("shape");
    assertThat(rule(true, answer(400, PROBLEM, BODY))).isEmpty();
  }

  @Test
  void a_connection_that_ends_without_an_answer_is_found_for_well_formed_http_only() {
    var reset = Answer.without(Outcome.RESET, "reset");
    assertThat(rule(true, reset)).isEqualTo("reset");
    assertThat(rule(false, reset)).isEmpty();
  }

  @Test
  void silence_is_found() {
    assertThat(rule(true, Answer.without(Outcome.SILENT, ""))).isEqualTo("hang");
  }

  @Test
  void a_call_that_breaks_the_server_is_found() {
    var broken = new Answer(Outcome.CALL_ENDED, 13, Map.of(), new byte[0], 1, "INTERNAL");
    assertThat(worker(true, broken)).isEqualTo("grpc");
    assertThat(worker(false, broken)).isEmpty();
    var refused = new Answer(Outcome.CALL_ENDED, 16, Map.of(), new byte[0], 1, "");
    assertThat(worker(true, refused)).isEmpty();
  }

  private static String rule(boolean wellFormed, Answer answer) {
    var http = new Http(new byte[0], wellFormed, false, Trouble.NONE);
    return AnswerCheck.judge(new Request(1, "LIST_TASKS", "valid", http), answer)
        .map(Finding::rule)
        .orElse("");
  }

  private static String worker(boolean decodable, Answer answer) {
    var call = new Worker("/x", Credential.JOIN, List.of(), decodable, End.HALF_CLOSE);
    return AnswerCheck.judge(new Request(1, "WORKER_PROTOCOL", "worker", call), answer)
        .map(Finding::rule)
        .orElse("");
  }

  private static Answer answer(int status, Map<String, String> headers, String body) {
    return Answer.of(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }
}
