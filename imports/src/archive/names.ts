/** Why an entry of an archive is not taken; undefined where it may be. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'has no name'
  if (name.includes('\0')) return 'has a zero byte in its name'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute path'
  if (name.includes('\\')) return 'has a backslash in its name'
  if (name.split('/').includes('..')) return 'leaves the archive by ".."'
  if (name.length > 4096) return 'has a name of over 4096 characters'
  return undefined
}

/** What file managers add to archives. */
export function isJunk(name: string): boolean {
  const parts = name.split('/')
  const last = parts.at(-1)
  return parts.includes('__MACOSX') || last === '.DS_Store' || last === 'Thumbs.db' || last === 'desktop.ini'
}

/** The folder that all names lie in, with its slash; empty where there is none. */
export function wrappingFolder(names: Iterable<string>): string {
  let folder: string | undefined
  for (const name of names) {
    const slash = name.indexOf('/')
    const top = slash < 0 ? '' : name.slice(0, slash + 1)
    if (top === '' || (folder !== undefined && folder !== top)) return ''
    folder = top
  }
  return folder ?? ''
}
