package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorHandlerTest {

  /** 25P03: a thread of this server starved in the middle of a transaction. */
  @ParameterizedTest
  @ValueSource(strings = {"25P03", "53300", "57014", "57P01", "08006"})
  void trouble_with_the_database_asks_to_try_again(String state) {
    var answer = answer(state);
    assertThat(answer.status().code()).isEqualTo(503);
    assertThat(answer.headers().get("retry-after")).isNotNull();
  }

  @Test
  void other_failures_of_a_statement_are_faults_of_the_server() {
    assertThat(answer("42601").status().code()).isEqualTo(500);
  }

  private static com.linecorp.armeria.common.AggregatedHttpResponse answer(String state) {
    var context = ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/"));
    return ErrorHandler.problem(
            context, new IllegalStateException(new SQLException("it failed", state)))
        .response();
  }
}
