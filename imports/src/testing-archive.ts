import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import yazl from 'yazl'
import { openZipArchive } from './archive/zip.js'

function bytesOf(content: unknown): Buffer {
  if (Buffer.isBuffer(content)) return content
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

/** Writes a gzipped tar of these entries, below one folder. */
export async function writeTar(path: string, folder: string, entries: Record<string, unknown>) {
  const pack = tar.pack()
  for (const [name, content] of Object.entries(entries))
    pack.entry({ name: `${folder}/${name}` }, bytesOf(content))
  pack.entry({ name: `${folder}/link`, type: 'symlink', linkname: '/etc/passwd' })
  pack.entry({ name: '../outside.json' }, 'x')
  pack.finalize()
  await pipeline(pack, createGzip(), createWriteStream(path))
}

/** Writes a ZIP of these entries: text, bytes, or anything else as JSON; those in `stored` are not compressed. */
export async function writeZip(
  path: string,
  entries: Record<string, unknown>,
  stored: readonly string[] = ['sums.jsonl'],
) {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(entries)) {
    zip.addBuffer(bytesOf(content), name, { compress: !stored.includes(name) })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

/** The entries of a ZIP, unpacked. */
export async function readEntries(path: string): Promise<Map<string, Buffer>> {
  const archive = await openZipArchive(path)
  const entries = new Map<string, Buffer>()
  for (const name of archive.entries.keys()) entries.set(name, await buffer(await archive.open(name)))
  await archive.close()
  return entries
}
