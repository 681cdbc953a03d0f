/** A frame as it goes out, encoded once for all who get it. */
export interface Chunk {
  bytes: Buffer
  /** The same with its length before it, as chunked answers have it. */
  framed: Buffer
}

export function chunkOf(text: string): Chunk {
  const bytes = Buffer.from(text)
  const framed = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  return { bytes, framed }
}

/** Encodes each text once: most listeners of a batch get the same ones. */
export function createChunks(): (text: string) => Chunk {
  const chunks = new Map<string, Chunk>()
  return (text) => {
    const known = chunks.get(text)
    if (known) return known
    const chunk = chunkOf(text)
    chunks.set(text, chunk)
    return chunk
  }
}
