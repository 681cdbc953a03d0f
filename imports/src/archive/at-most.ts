import { Transform } from 'node:stream'
import { ArchiveError } from './archive.js'

/** Ends a stream that grows beyond a bound, whatever the archive says of its size. */
export function atMost(bytes: number, fault: string): Transform {
  let left = bytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new ArchiveError(fault))
      else done(null, chunk)
    },
  })
}

export const tooLarge = (bytes: number) =>
  `the archive unpacks to over ${bytes} bytes, more than there is room for`
