import type { SubmitOutcome } from './queries.js'

const TEXT_MAX = 2000

/** What a bot found wrong, by field name; undefined where its answer does not say. */
export function readErrors(body: Buffer): Record<string, string> | undefined {
  let errors: unknown
  try {
    // The decoder leaves out a byte order mark, which some servers write first.
    errors = (JSON.parse(new TextDecoder().decode(body)) as { errors?: unknown } | null)?.errors
  } catch {
    return undefined
  }
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined
  const entries = Object.entries(errors as Record<string, unknown>)
  if (entries.length === 0 || !entries.every(([, text]) => typeof text === 'string')) return undefined
  return Object.fromEntries(entries.map(([name, text]) => [storable(name), storable(text as string)]))
}

/** Without what no JSON column takes: NUL, and halves of surrogate pairs. Cut by characters, which leaves no halves behind. */
function storable(text: string): string {
  const whole = text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')
  return [...whole].slice(0, TEXT_MAX).join('')
}

/** Any 2xx takes the form; 400 with texts sends it back; everything else means that it did not get through. */
export function judgeAnswer(answer: { status: number | null; body: Buffer } | null): SubmitOutcome {
  const status = answer?.status ?? 0
  if (status >= 200 && status < 300) return { state: 'accepted' }
  const errors = answer && status === 400 ? readErrors(answer.body) : undefined
  return errors ? { state: 'rejected', errors } : { state: 'failed' }
}
