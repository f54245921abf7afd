package dev.belay.fuzz.make;

import dev.belay.fuzz.request.Request;
import dev.belay.fuzz.request.Request.Trouble;
import dev.belay.fuzz.request.Things;
import dev.belay.server.api.Routes;
import java.util.List;

/**
 * Makes request number N of a seed. Blocks alternate: a mixed block may contain any request, a
 * refused block only requests that should not change the database.
 */
public final class RequestMaker {

  public static final int BLOCK = 200;
  public static final String WORKER_ROUTE = "WORKER_PROTOCOL";
  public static final String HTTP_ROUTE = "ODD_HTTP";

  private final long seed;
  private final List<Routes.Served> routes = Routes.all();
  private final HttpMaker http;

  /**
   * @param host for the Host header
   */
  public RequestMaker(long seed, String host, String token, String joinToken, Things things) {
    this.seed = seed;
    this.http = new HttpMaker(new HttpMaker.Address(host, token, joinToken), things);
  }

  /** Whether request number N belongs to a block that should change nothing. */
  public static boolean isRefusedBlock(long number) {
    return (number - 1) / BLOCK % 2 == 1;
  }

  public Request make(long number) {
    Dice dice = Dice.at(seed, number);
    boolean mixed = !isRefusedBlock(number);
    int way = dice.below(100);
    if (way < 8) {
      return new Request(number, WORKER_ROUTE, "worker", WorkerMaker.of(dice, mixed));
    }
    // In turn, so that a short run reaches all.
    Routes.Served route = routes.get((int) (number % routes.size()));
    boolean valid = mixed && dice.below(100) < 55;
    HttpMaker.Made made = valid ? http.valid(route, dice) : http.hostile(route, dice);
    if (way < 23) {
      OddHttp.Odd odd = OddHttp.of(made, dice);
      return new Request(number, HTTP_ROUTE, odd.kind(), odd.http());
    }
    return new Request(number, route.name(), made.kind(), HttpMaker.http(made, true, Trouble.NONE));
  }

  /** The workflow files that exist before the first request. */
  public static List<String> workflows() {
    return List.of(
        YamlMaker.example("hello.yaml"),
        YamlMaker.example("params.yaml"),
        YamlMaker.example("etl.yaml"));
  }
}
