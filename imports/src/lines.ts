import type { Readable } from 'node:stream'

/** Lines of JSON are read one at a time; a longer one is reported and left out. */
export const LINE_AT_MOST = 16 * 1024 * 1024

/** The lines of a stream; null for one that is too long. */
export async function* readLines(stream: Readable, limit = LINE_AT_MOST): AsyncIterable<string | null> {
  let parts: Buffer[] = []
  let size = 0
  const take = (): string | null => {
    const line = size > limit ? null : Buffer.concat(parts).toString('utf8')
    parts = []
    size = 0
    return line
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    add(chunk.subarray(from))
  }
  if (size > 0) yield take()

  function add(bytes: Buffer) {
    size += bytes.length
    if (size <= limit) parts.push(bytes)
    else parts = []
  }
}
