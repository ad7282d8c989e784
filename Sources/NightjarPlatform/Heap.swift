import CNightjarSpawn

/// The memory that the process takes from the system.
public enum Heap {
  /// Has large blocks go back to the system when they are freed. By default, once a large block is freed, the C library
  /// puts blocks of that size into its heap, and keeps whatever lies below the last one in use: with that, a download
  /// over HTTP/2 took the daemon up to a dozen MiB more. To be called before there are other threads.
  public static func returnLargeBlocks() { nightjar_map_blocks_from(256 << 10) }
}
