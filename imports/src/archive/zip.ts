import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import yauzl from 'yauzl'
import { type Archive, ArchiveError, type ArchiveLimits, isBomb, LIMITS } from './archive.js'
import { faultOfName, isJunk, wrappingFolder } from './names.js'

const openZip = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)

type Decode = (flags: number, raw: Buffer, extra: yauzl.Entry['extraFields'], strict: boolean) => string
/** Of the name: that in a field beside it, else in the code page of the first ZIP programs. */
const { getFileNameLowLevel: decode } = yauzl as unknown as { getFileNameLowLevel: Decode }
const NAME_IS_UTF8 = 1 << 11
const WINDOWS = new Set([0, 10])

/** Some packers write UTF-8 and do not say so: what reads as UTF-8 is UTF-8. Some of Windows divide folders by backslashes. */
function nameOf(entry: yauzl.Entry): string {
  const { fileName, extraFields, generalPurposeBitFlag, versionMadeBy } = entry
  const raw = fileName as unknown as Buffer
  const flags = isUtf8(raw) ? generalPurposeBitFlag | NAME_IS_UTF8 : generalPurposeBitFlag & ~NAME_IS_UTF8
  const name = decode(flags, raw, extraFields, true)
  return WINDOWS.has(versionMadeBy >> 8) && !name.includes('/') ? name.replaceAll('\\', '/') : name
}

/** The type of a file is in the upper half of its attributes where a UNIX packer wrote them. */
function isLinkOrDevice(entry: yauzl.Entry): boolean {
  const type = (entry.externalFileAttributes >>> 28) & 0xf
  return type !== 0 && type !== 0x8 && type !== 0x4
}

function faultOf(entry: yauzl.Entry, name: string): string | undefined {
  if (isLinkOrDevice(entry)) return 'is a link or a device'
  if ((entry.generalPurposeBitFlag & 1) === 1) return 'is encrypted'
  if (/\.(jsonl?|bson|csv)$/i.test(name) && isBomb(entry.uncompressedSize, entry.compressedSize))
    return 'unpacks to over a hundred times its size'
  return faultOfName(name)
}

interface Found {
  entries: Map<string, yauzl.Entry>
  refused: string[]
}

function readEntries(zip: yauzl.ZipFile, limits: ArchiveLimits): Promise<Found> {
  const entries = new Map<string, yauzl.Entry>()
  const refused: string[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      const name = nameOf(entry).normalize('NFC')
      if (!name.endsWith('/') && !isJunk(name)) {
        const fault = faultOf(entry, name) ?? (entries.has(name) ? 'is there twice' : undefined)
        if (fault) refused.push(`${name.slice(0, 200)} ${fault}`)
        else entries.set(name, entry)
        bytes += entry.uncompressedSize
      }
      if (entries.size > limits.entries)
        return reject(new ArchiveError(`the archive has over ${limits.entries} entries`))
      if (bytes > limits.bytes)
        return reject(
          new ArchiveError(`the archive unpacks to over ${limits.bytes} bytes, more than there is room for`),
        )
      zip.readEntry()
    })
    zip.on('end', () => resolve({ entries, refused }))
    zip.on('error', (error: Error) => reject(new ArchiveError(`the archive is damaged: ${error.message}`)))
    zip.readEntry()
  })
}

export async function openZipArchive(path: string, limits = LIMITS): Promise<Archive> {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(
    (error: Error) => {
      throw new ArchiveError(`the archive cannot be read: ${error.message}`)
    },
  )
  try {
    const { entries, refused } = await readEntries(zip, limits)
    return archiveOf(zip, entries, refused)
  } catch (error) {
    zip.close()
    throw error
  }
}

function archiveOf(zip: yauzl.ZipFile, found: Map<string, yauzl.Entry>, refused: string[]): Archive {
  const folder = wrappingFolder(found.keys())
  const packed = new Map([...found].map(([name, entry]) => [name.slice(folder.length), entry]))
  const open = promisify<yauzl.Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))
  return {
    entries: new Map([...packed].map(([name, entry]) => [name, { name, size: entry.uncompressedSize }])),
    refused,
    async open(name) {
      const entry = packed.get(name)
      if (!entry) throw new ArchiveError(`the archive has no ${name}`)
      return (await open(entry)) as Readable
    },
    pathOf: () => null,
    async close() {
      zip.close()
    },
  }
}
