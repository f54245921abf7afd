package dev.belay.simulation.model;

import dev.belay.domain.id.SessionId;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.session.gateway.Peer;
import java.util.Arrays;

/** A row of the table worker_key. */
final class KeyRow implements Cloneable {
  final byte[] hash;
  SessionId session;
  long number;
  long connection;
  boolean revoked;

  KeyRow(byte[] hash, Peer peer, Hello hello) {
    this.hash = hash;
    this.session = peer.session();
    fill(peer, hello);
  }

  void fill(Peer peer, Hello hello) {
    session = peer.session();
    number = hello.getSessionNumber();
    connection = peer.connection();
  }

  boolean isOf(byte[] presented) {
    return Arrays.equals(hash, presented);
  }

  boolean isOlder(Peer peer, Hello hello) {
    return session.equals(peer.session())
        ? connection < peer.connection()
        : number < hello.getSessionNumber();
  }

  KeyRow copy() {
    try {
      return (KeyRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
