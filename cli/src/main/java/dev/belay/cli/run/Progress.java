package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Shows a run in progress. */
interface Progress {

  /** These tasks changed, in this order; the view already has the changes. */
  void changed(List<JsonNode> tasks);

  /** Time has passed. */
  void tick();

  /** Shows the last picture. */
  void close();

  /** Shows nothing. */
  static Progress silent() {
    return new Progress() {
      @Override
      public void changed(List<JsonNode> tasks) {}

      @Override
      public void tick() {}

      @Override
      public void close() {}
    };
  }
}
