/** Line breaks, other controls, and marks that turn the direction of text: they would make a name read as another one. */
const DECEIVING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const SPACE = /\s+/g

/** The name of a file as a screen shows it and a browser saves it: the last part of a path, in one line. */
export function fileName(name: string): string {
  const shown = name.replaceAll(DECEIVING, ' ').replaceAll(SPACE, ' ').trim()
  const last = shown.split(/[/\\]/).at(-1)?.trim() ?? ''
  return last === '' || last === '.' || last === '..' ? shown || '—' : last
}

/** What follows the last dot of a name that has one, for the label of a file. */
export function extensionOf(name: string): string {
  const found = /[^.]\.([\p{L}\p{N}]{1,8})$/u.exec(fileName(name))
  return found?.[1] ?? ''
}
