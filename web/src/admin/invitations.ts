/** Somebody to invite, from a line of a list. */
export interface Invitation {
  line: number
  email: string
  first_name?: string
  last_name?: string
  role?: 'admin' | 'user' | 'multi_guest'
}

const EMAIL = /^[^\s@,;]+@[^\s@,;]+$/
const ROLES = ['admin', 'user', 'multi_guest']

/** The cells of a line of CSV: commas, semicolons or tabs between them, quotes around those that hold such. */
function cellsOf(line: string): string[] {
  const cells: string[] = []
  for (const [, quoted, plain = ''] of line.matchAll(/(?:^|[,;\t])\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))/g))
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
  return cells
}

/** People by lines, with those lines that name nobody. The first line may name the columns. */
export function readInvitations(text: string): { people: Invitation[]; wrong: number[] } {
  const people: Invitation[] = []
  const wrong: number[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [email = '', first_name, last_name, role] = cellsOf(line)
    const isHead = index === 0 && /^e-?mail$/i.test(email)
    if (line.trim() === '' || isHead) continue
    if (!EMAIL.test(email)) wrong.push(index + 1)
    else
      people.push({
        line: index + 1,
        email,
        ...(first_name ? { first_name } : {}),
        ...(last_name ? { last_name } : {}),
        ...(role && ROLES.includes(role) ? { role: role as NonNullable<Invitation['role']> } : {}),
      })
  }
  return { people, wrong }
}
