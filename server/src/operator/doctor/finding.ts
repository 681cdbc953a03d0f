import {
  fillText,
  HEALTH_FINDINGS,
  type HealthCode,
  type HealthFinding,
  type ValuesOf,
} from '@parley/contract'

export interface Finding extends Omit<HealthFinding, 'advice'> {
  code: HealthCode
  /** What to do about it. */
  advice?: string
}

type Entry = { check: string; state: Finding['state']; detail: string; advice?: string }
type TextOf<C extends HealthCode> = (typeof HEALTH_FINDINGS)[C] extends {
  detail: infer D extends string
  advice: infer A extends string
}
  ? `${D}${A}`
  : (typeof HEALTH_FINDINGS)[C]['detail']

/** A finding of the contract, with its values. */
export function finding<C extends HealthCode>(code: C, values: ValuesOf<TextOf<C>>): Finding {
  const { check, state, detail, advice }: Entry = HEALTH_FINDINGS[code]
  const texts = { detail: fillText(detail, values), ...(advice && { advice: fillText(advice, values) }) }
  return { check, state, code, values, ...texts }
}

/** How long something may take to answer. */
export const PATIENCE_MS = 5_000

/** Waits for something that may never answer. */
export async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What an error says; those of sockets may say it in their code alone, or in the errors they are made of. */
export function reasonOf(error: unknown): string {
  const { message, code, cause, errors } = error as Error & { code?: string; errors?: Error[] }
  const inner = errors?.[0] ?? (message === 'fetch failed' ? cause : undefined)
  if (inner) return reasonOf(inner)
  return message || code || String(error)
}
