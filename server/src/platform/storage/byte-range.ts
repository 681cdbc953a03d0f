/** The bytes of an object of `size` that a Range header asks for; 'whole' where it asks for nothing we serve in part. */
export function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'whole' | 'unsatisfiable' {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (!match || (!match[1] && !match[2])) return 'whole'
  if (!match[1]) {
    const length = Math.min(Number(match[2]), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(match[1])
  const end = match[2] ? Math.min(Number(match[2]), size - 1) : size - 1
  if (match[2] && Number(match[2]) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}
