import { cut } from './cut.js'

/** The last part of a path without control characters, in one form of its letters. */
export function cleanName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = last.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? 'file' : cut(clean, 255)
}
