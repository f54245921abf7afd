package dev.belay.fuzz.make;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.fuzz.request.Request;
import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Things;
import dev.belay.server.api.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RequestMakerTest {

  private static final int REQUESTS = 2_000;

  @Test
  void a_seed_and_a_number_decide_the_request() {
    for (long number : List.of(1L, 17L, 999L, 50_000L)) {
      assertThat(maker(1).make(number).shown()).isEqualTo(maker(1).make(number).shown());
    }
    assertThat(shown(1)).isNotEqualTo(shown(2));
  }

  @Test
  void every_route_occurs_valid_and_hostile() {
    var all = requests(1);
    for (Routes.Served route : Routes.all()) {
      assertThat(all)
          .as(route.name())
          .anyMatch(request -> request.route().equals(route.name()) && isValid(request))
          .anyMatch(request -> request.route().equals(route.name()) && !isValid(request));
    }
  }

  @Test
  void every_kind_of_odd_http_and_the_worker_protocol_occur() {
    var kinds = requests(1).stream().map(Request::kind).distinct().toList();
    for (int kind = 0; kind < OddHttp.KINDS; kind++) {
      assertThat(kinds).contains("odd-" + kind);
    }
    assertThat(kinds).contains("worker");
  }

  @Test
  void a_refused_block_holds_no_valid_change() {
    assertThat(requests(1))
        .filteredOn(request -> RequestMaker.isRefusedBlock(request.number()))
        .isNotEmpty()
        .noneMatch(RequestMakerTest::isValid);
  }

  private static boolean isValid(Request request) {
    return request.kind().equals("valid") && request.content() instanceof Http;
  }

  private static List<String> shown(long seed) {
    return requests(seed).stream().map(Request::shown).toList();
  }

  private static List<Request> requests(long seed) {
    var maker = maker(seed);
    return new ArrayList<>(LongStream.rangeClosed(1, REQUESTS).mapToObj(maker::make).toList());
  }

  private static RequestMaker maker(long seed) {
    return new RequestMaker(seed, "127.0.0.1:1", "token", "join", new Things());
  }
}
