import { crc32, inflateRawSync } from 'node:zlib'

/** Reads an archive by its central directory, as programs do, and checks every sum and size in it. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  let count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffff_ffff) {
    const record = Number(archive.readBigUInt64LE(end - 20 + 8))
    count = Number(archive.readBigUInt64LE(record + 32))
    at = Number(archive.readBigUInt64LE(record + 48))
  }
  const files = new Map<string, string>()
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error(`no header at ${at}`)
    const [crc, compressed, size] = [16, 20, 24].map((place) => archive.readUInt32LE(at + place))
    const [name_length, extra_length] = [28, 30].map((place) => archive.readUInt16LE(at + place))
    const offset = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + Number(name_length))
    const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
    const data = inflateRawSync(archive.subarray(start, start + Number(compressed)))
    if (data.length !== size || crc32(data) !== crc) throw new Error(`${name} is damaged`)
    if (files.has(name)) throw new Error(`${name} is there twice`)
    files.set(name, data.toString())
    at += 46 + Number(name_length) + Number(extra_length)
  }
  if (archive.readUInt32LE(at) !== 0x06054b50 && archive.readUInt32LE(at) !== 0x06064b50)
    throw new Error('the directory does not end where it should')
  return files
}
