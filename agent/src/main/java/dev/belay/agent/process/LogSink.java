package dev.belay.agent.process;

/** Receives the raw output of one dispatch. Only the pump thread calls it; must not block long. */
public interface LogSink extends AutoCloseable {

  enum Stream {
    OUT,
    ERR
  }

  /** The first {@code length} bytes of {@code data} arrived. The caller reuses the array. */
  void write(Stream stream, byte[] data, int length);

  /** No output came for a short while: emit what is there, even an unfinished line. */
  void quiet();

  /** How much output could not be written, because the disk was full or broken. */
  default long lostBytes() {
    return 0;
  }

  /** No more will come. */
  @Override
  void close();
}
