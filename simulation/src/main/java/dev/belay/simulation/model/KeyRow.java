package dev.belay.simulation.model;

import dev.belay.domain.id.SessionId;
import dev.belay.session.gateway.WorkerHello;
import java.util.Arrays;

/** A row of the table worker_key. */
final class KeyRow implements Cloneable {
  final byte[] hash;
  SessionId session;
  long number;
  long connection;
  boolean revoked;

  KeyRow(WorkerHello hello) {
    this.hash = hello.key().hash();
    this.session = hello.peer().session();
    fill(hello);
  }

  void fill(WorkerHello hello) {
    session = hello.peer().session();
    number = hello.sessionNumber();
    connection = hello.peer().connection();
  }

  boolean isOf(byte[] presented) {
    return Arrays.equals(hash, presented);
  }

  boolean isOlder(WorkerHello hello) {
    return session.equals(hello.peer().session())
        ? connection < hello.peer().connection()
        : number < hello.sessionNumber();
  }

  KeyRow copy() {
    try {
      return (KeyRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
