/**
 * Hands over what changed: the first change at once, and those that come before the pause is over together, of each key the
 * last. So many changes cost hardly more than one, where each has to be told to everybody.
 */
export function createBursts<V>(
  keyOf: (value: V) => number,
  send: (values: V[]) => Promise<void>,
  pauseMs: () => number,
): (value: V) => void {
  const waiting = new Map<number, V>()
  let resting = false

  async function flush() {
    resting = true
    const values = [...waiting.values()]
    waiting.clear()
    await send(values)
    const pause_ms = pauseMs()
    if (pause_ms > 0) setTimeout(goOn, pause_ms).unref()
    else goOn()
  }

  function goOn() {
    resting = false
    if (waiting.size > 0) void flush()
  }

  return (value) => {
    waiting.set(keyOf(value), value)
    if (!resting) void flush()
  }
}
