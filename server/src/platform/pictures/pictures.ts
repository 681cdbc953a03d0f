import { availableParallelism } from 'node:os'
import type { Sharp } from 'sharp'
import { createFairQueue } from '../fair-queue.js'
import { Problem } from '../problem.js'
import { loadLibrary } from './library.js'

/**
 * More than phones and screens make. A JPEG is shrunk while it is read; a PNG that is not read line by line is
 * decoded whole, which at this size takes 160 MB.
 */
const PIXELS_AT_MOST = 40_000_000
/** The threads that draw give way to all other work: on a busy machine they wait for a core much longer than they work. */
const SECONDS_AT_MOST = 30
/** Each waits with its bytes in memory. */
const WAITING_AT_MOST = 8

export interface Pictures {
  /** Opens a picture of a stranger when its turn comes, and lets the work read it. */
  draw<T>(holder: number | string, bytes: Buffer, work: Drawing<T>): Promise<T>
}

/** Reads the picture; `open` opens a second one that was made from it. */
export type Drawing<T> = (picture: Sharp, open: (bytes: Buffer) => Sharp) => Promise<T>

export interface PicturesOptions {
  load?: typeof loadLibrary
}

/** Draws few pictures at once: each takes a core and one of the four threads that files are read with. */
export function createPictures({ load = loadLibrary }: PicturesOptions = {}): Pictures {
  const atOnce = availableParallelism() < 4 ? 1 : 2
  const queue = createFairQueue({ atOnce, waitingAtMost: WAITING_AT_MOST })
  return {
    draw: (holder, bytes, work) =>
      queue.take(holder, async () => {
        const sharp = await load().catch(() => {
          throw new Problem(503, 'service_unavailable', { message: 'pictures cannot be read on this server' })
        })
        const open = (content: Buffer) =>
          sharp(content, { limitInputPixels: PIXELS_AT_MOST }).timeout({ seconds: SECONDS_AT_MOST })
        return work(open(bytes), open)
      }),
  }
}
