package dev.belay.engine.port;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.trust.SetAside.Others;
import java.util.List;

/** What the rows of workers say about their failures. */
public interface TrustStore {

  /**
   * Notes how many tasks failed fast in a row on a worker.
   *
   * @param before what the caller noted last; 0 when it noted nothing yet
   * @return false when it noted nothing: the worker restarted, is set aside, or was trusted again,
   *     so its failures count anew
   */
  boolean note(WorkerId worker, SessionId session, int before, int failures);

  /** The workers that fail in a row or are set aside, in one cheap read. */
  Look look(int suspectsMax);

  /**
   * @param setAside how many workers are set aside
   */
  record Look(List<Suspect> suspects, int setAside) {
    public Look {
      suspects = List.copyOf(suspects);
    }
  }

  /**
   * @param failures fast failures in a row, as many as make a worker due
   */
  record Suspect(WorkerId worker, SessionId session, String name, int failures) {}

  Others countOthers(WorkerId worker);

  /**
   * Sets a worker aside and raises an alert, if this leader leads, the session is still the
   * worker's, and it still fails.
   *
   * @return false when it did nothing
   */
  boolean setAside(Epoch epoch, Suspect suspect, String reason);
}
