package dev.belay.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.belay.store.read.Page;
import dev.belay.store.recovery.Listed;
import io.netty.util.AsciiString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The usual shapes of an answer. */
final class Answers {

  private Answers() {}

  static HttpResponse ok(Object body) {
    return json(HttpStatus.OK, body);
  }

  static HttpResponse json(HttpStatus status, Object body) {
    return HttpResponse.of(status, MediaType.JSON_UTF_8, JsonText.write(body));
  }

  static HttpResponse json(HttpStatus status, Object body, Map<AsciiString, String> headers) {
    var head = ResponseHeaders.builder(status).contentType(MediaType.JSON_UTF_8);
    headers.forEach(head::set);
    return HttpResponse.of(head.build(), HttpData.wrap(JsonText.write(body)));
  }

  static HttpResponse page(Page<?> page) {
    return ok(items(page.items(), page.next()));
  }

  static HttpResponse page(Listed<?> page) {
    return ok(items(page.items(), page.next()));
  }

  /**
   * @param next the cursor of the next page; null at the end
   */
  static HttpResponse page(List<?> items, @Nullable Object next) {
    return ok(items(items, next));
  }

  static HttpResponse items(List<?> items) {
    return ok(items(items, null));
  }

  private static Object items(List<?> items, @Nullable Object next) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("items", items);
    body.put("next", next);
    return body;
  }
}
