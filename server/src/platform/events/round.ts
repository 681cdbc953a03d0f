/** The batch that the relay works on, in shared memory that the watchdog's thread reads even while this thread is stuck. */
export interface RelayRound {
  /** Heartbeats of the event loop; the lowest and the highest id of the batch, 0 between batches. */
  shared: BigInt64Array
  begin(ids: readonly number[]): void
  end(): void
}

export const HEARTBEATS = 0
export const LOWEST = 1
export const HIGHEST = 2

export function createRound(): RelayRound {
  const shared = new BigInt64Array(new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT))
  const hold = (lowest: number, highest: number) => {
    Atomics.store(shared, HIGHEST, BigInt(highest))
    Atomics.store(shared, LOWEST, BigInt(lowest))
  }
  return {
    shared,
    begin: (ids) => hold(Math.min(...ids), Math.max(...ids)),
    end: () => hold(0, 0),
  }
}
