/** What is looked for, as the address holds it. */
export interface Filters {
  q: string
  in: number | null
  from: number | null
  after: string | null
  before: string | null
}

const idOf = (text: string | undefined) => (text && /^\d+$/.test(text) ? Number(text) : null)
/** A day with a year of four digits. */
export const dayOf = (text: string | undefined) => (text && /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? text : null)

export function filtersOf(query: Record<string, string | undefined>): Filters {
  const { q = '', after, before } = query
  return { q, in: idOf(query.in), from: idOf(query.from), after: dayOf(after), before: dayOf(before) }
}

export function addressOf(filters: Filters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== null && value !== '') search.set(name, String(value))
  const text = search.toString()
  return text === '' ? '/search' : `/search?${text}`
}

/** The question to the server: both days are whole days where the reader is. */
export function queryOf({ q, in: chat, from, after, before }: Filters) {
  return {
    query: q,
    limit: 30,
    ...(chat === null ? {} : { chat_ids: [chat] }),
    ...(from === null ? {} : { user_ids: [from] }),
    ...(after === null ? {} : { created_from: new Date(`${after}T00:00`).toISOString() }),
    ...(before === null ? {} : { created_to: new Date(`${before}T23:59:59.999`).toISOString() }),
  }
}
