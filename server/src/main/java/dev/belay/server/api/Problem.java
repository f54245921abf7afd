package dev.belay.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Position;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An error in the format of RFC 9457.
 *
 * @param type one word for programs; empty when the status is enough
 * @param detail what happened to which thing, and what to do next
 * @param errors each single fault, by field or by place in a file
 * @param headers of the answer
 */
record Problem(
    HttpStatus status,
    String type,
    String detail,
    List<Map<String, Object>> errors,
    Map<String, String> headers) {

  private static final MediaType PROBLEM_JSON = MediaType.parse("application/problem+json");

  Problem {
    errors = List.copyOf(errors);
    headers = Map.copyOf(headers);
  }

  static Problem of(HttpStatus status, String detail) {
    return new Problem(status, "", detail, List.of(), Map.of());
  }

  static Problem notFound(String what, Object id) {
    return of(HttpStatus.NOT_FOUND, "There is no " + what + " " + id + ".");
  }

  static Problem busy(String detail) {
    return of(HttpStatus.SERVICE_UNAVAILABLE, detail).with("retry-after", "1");
  }

  /** Belay may or may not have stored the request; only a repeated call shows which. */
  static Problem unknown() {
    return of(
            HttpStatus.GATEWAY_TIMEOUT,
            "The database did not confirm in time, so it is not known whether this request took"
                + " effect. Send it again with the same Idempotency-Key, or look before you repeat"
                + " it.")
        .ofType("outcome-unknown");
  }

  /** Stable for each kind of error: programs compare it. */
  Problem ofType(String word) {
    return new Problem(status, word, detail, errors, headers);
  }

  Problem with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Problem(status, type, detail, errors, more);
  }

  Problem withErrors(List<Map<String, Object>> more) {
    return new Problem(status, type, detail, more, headers);
  }

  /** One fault of a workflow file or of a request body, with its place. */
  static Map<String, Object> fault(dev.belay.workflow.Problem found) {
    var fault = new LinkedHashMap<String, Object>();
    switch (found.at()) {
      case Position at -> {
        fault.put("file", found.document());
        fault.put("line", at.line());
        fault.put("column", at.column());
      }
      case FieldPath at -> fault.put("field", at.shown());
    }
    fault.put("message", found.message());
    return fault;
  }

  /** One fault of a request body. */
  static Map<String, Object> fault(String field, String message) {
    var fault = new LinkedHashMap<String, Object>();
    fault.put("field", field);
    fault.put("message", message);
    return fault;
  }

  AggregatedHttpResponse response() {
    var body = new LinkedHashMap<String, Object>();
    body.put("type", type.isEmpty() ? "about:blank" : "urn:belay:problem:" + type);
    body.put("title", status.reasonPhrase());
    body.put("status", status.code());
    body.put("detail", detail);
    body.put("errors", errors);
    var answer = ResponseHeaders.builder(status).contentType(PROBLEM_JSON);
    headers.forEach((name, value) -> answer.set(HttpHeaderNames.of(name), value));
    return AggregatedHttpResponse.of(answer.build(), HttpData.wrap(JsonText.write(body)));
  }
}
