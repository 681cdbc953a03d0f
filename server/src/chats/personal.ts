/** One personal chat per pair of people, no matter who wrote first; a chat with oneself is a pair of one. */
export function personalKey(a: number, b: number): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`
}

/** The other side of a personal chat; of a chat with oneself, oneself. */
export function otherSide(chat: { personal_key: string | null }, userId: number): number {
  const [a = 0, b = 0] = (chat.personal_key ?? '').split(':').map(Number)
  return a === userId ? b : a
}

/** The same in SQL, of the personal chat `c` for the person whose id the expression `viewer` gives. */
export function otherSideSql(viewer: string): string {
  return `case when split_part(c.personal_key, ':', 1)::bigint = ${viewer}
    then split_part(c.personal_key, ':', 2)::bigint else split_part(c.personal_key, ':', 1)::bigint end`
}
