package dev.belay.store.worker;

import com.google.protobuf.ByteString;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.store.Sql;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** The keys of workers. */
public final class KeyRows {

  private final Jdbi jdbi;

  public KeyRows(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * The key of one worker id.
   *
   * @param name of the worker at its last hello
   * @param session the latest accepted session
   * @param number of that session
   */
  public record Known(
      ByteString hash, String name, SessionId session, long number, boolean revoked) {

    /** Compares in constant time. */
    public boolean isOf(byte[] presentedHash) {
      return MessageDigest.isEqual(hash.toByteArray(), presentedHash);
    }

    /** The number that another session must exceed; 0 for this session itself. */
    long numberBefore(SessionId other) {
      return session.equals(other) ? 0 : number;
    }
  }

  /** Empty when no worker has joined with this id. */
  public Optional<Known> find(WorkerId worker) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("worker/find_key"))
                .bind("worker", worker.value())
                .map(
                    (row, context) ->
                        new Known(
                            ByteString.copyFrom(row.getBytes("key_hash")),
                            row.getString("name"),
                            new SessionId(row.getObject("session_id", UUID.class)),
                            row.getLong("session_number"),
                            row.getBoolean("revoked")))
                .findOne());
  }
}
