import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'

/** Writes a ZIP of these entries: text, bytes, or anything else as JSON. */
export async function writeZip(path: string, entries: Record<string, unknown>) {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.isBuffer(content)
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
    zip.addBuffer(bytes, name)
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
