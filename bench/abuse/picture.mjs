// A black interlaced PNG: small to send, and costly to decode.
import { crc32, deflateSync } from 'node:zlib'

/** First column, first row and steps of the seven passes of Adam7. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]
const RGB = 3

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

export function interlacedPicture(side) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 1])
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  // Every byte is zero: no filter, black pixels.
  const bytes = PASSES.reduce((sum, [x, y, across, down]) => {
    return sum + Math.ceil((side - y) / down) * (1 + Math.ceil((side - x) / across) * RGB)
  }, 0)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts])
}
