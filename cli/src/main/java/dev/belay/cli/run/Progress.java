package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Shows a run while it goes on. */
interface Progress {

  /** These tasks changed, in this order; what is known is in the view already. */
  void changed(List<JsonNode> tasks);

  /** Time went by. */
  void tick();

  /** Shows the last picture; nothing is shown after it. */
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
