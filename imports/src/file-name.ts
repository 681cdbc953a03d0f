import { extname } from 'node:path/posix'
import { cut } from './cut.js'

const NAME = 255
/** What is longer is no extension, but a name with a point in it. */
const EXTENSION = 20

/** The last part of a path without control characters, in one form of its letters. Where it is cut, its extension stays. */
export function cleanName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = last.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? 'file' : shortName(clean)
}

function shortName(name: string): string {
  const extension = extname(name)
  if (name.length <= NAME || extension.length > EXTENSION) return cut(name, NAME)
  return `${cut(name, NAME - extension.length)}${extension}`
}
