import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'

const HELD = 1024 * 1024

/** Bytes that are written at once and read at the end: what grows with the number of entries is not held in memory. */
export class Spool {
  readonly #path: string
  readonly #file: FileHandle
  #held: Buffer[] = []
  #heldBytes = 0
  bytes = 0

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  static async create(path: string): Promise<Spool> {
    return new Spool(path, await open(path, 'w', 0o600))
  }

  async append(data: Buffer) {
    this.#held.push(data)
    this.#heldBytes += data.length
    this.bytes += data.length
    if (this.#heldBytes >= HELD) await this.#flush()
  }

  async #flush() {
    await this.#file.appendFile(Buffer.concat(this.#held))
    this.#held = []
    this.#heldBytes = 0
  }

  async *read(): AsyncIterable<Buffer> {
    await this.#flush()
    yield* createReadStream(this.#path) as AsyncIterable<Buffer>
  }

  async remove() {
    await this.#file.close().catch(() => {})
    await rm(this.#path, { force: true })
  }
}
