package dev.berth.streams.app;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Lets all stores of the process share one cache and one budget of write buffers. With Kafka
 * Streams' own settings each store of each partition may grow to about 100 MB, and there are
 * hundreds.
 */
public final class BoundedStoreMemory implements RocksDBConfigSetter {
  private static final long CACHE_BYTES = 64L << 20;
  private static final long WRITE_BUFFER_BYTES = 32L << 20;
  private static final long ONE_WRITE_BUFFER_BYTES = 4L << 20;
  private static final int WRITE_BUFFERS = 2;

  // Shared by every store of the process and therefore never closed.
  private static final Cache CACHE = new LRUCache(CACHE_BYTES);
  private static final WriteBufferManager WRITE_MEMORY =
      new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);

  /** Called by Kafka Streams. */
  public BoundedStoreMemory() {}

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(CACHE);
    // Otherwise the indexes of each file are outside of the budget.
    table.setCacheIndexAndFilterBlocks(true);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(WRITE_MEMORY);
    options.setWriteBufferSize(ONE_WRITE_BUFFER_BYTES);
    options.setMaxWriteBufferNumber(WRITE_BUFFERS);
  }

  @Override
  public void close(String storeName, Options options) {}
}
