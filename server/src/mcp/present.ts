import type { Called } from './call.js'

/** Addresses of pictures cost words and tell an assistant nothing. */
const LEFT_OUT = /(^|_)(avatar_url|image_url)$/

function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !LEFT_OUT.test(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, trimmed(inner)]))
}

interface Answered {
  data?: unknown
  meta?: { paginate?: { next_page?: string; has_next?: boolean } }
  errors?: { message: string; key: string }[]
  error_description?: string
  explanation?: object
}

function refusedText(status: number, body: Answered): string {
  const told = body.errors?.map(({ key, message }) => `${key}: ${message}`).join('; ')
  return `${status} ${told ?? body.error_description ?? 'refused'}`
}

/** What a tool gives back: the data of the answer as data, and the same as text for clients that read only that. */
export function presentResult({ status, body, would }: Called) {
  const answer = (typeof body === 'object' && body !== null ? body : {}) as Answered
  if (status >= 400) {
    const structuredContent = { status, ...(answer.explanation && { explanation: answer.explanation }) }
    const text = typeof body === 'string' ? `${status} ${body}` : refusedText(status, answer)
    return { isError: true, content: [{ type: 'text' as const, text }], structuredContent }
  }
  const { paginate } = answer.meta ?? {}
  const page = paginate ? { more: paginate.has_next === true, cursor: paginate.next_page } : {}
  const tried = would === undefined ? {} : { dry_run: true, would }
  const structuredContent = { data: trimmed(answer.data ?? null), ...page, ...tried }
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent }
}
