import type { FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.js'
import { Problem } from '../platform/problem.js'
import { findLanguage, type Language } from '../users/language-queries.js'
import { sessionOf } from './session.js'

function weightOf(part: string): number {
  const weight = Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)
  return Number.isNaN(weight) ? 0 : weight
}

/** The language of ours that a browser would rather see. */
export function browserLanguage(header = ''): Language {
  const parts = header.split(',').map((part) => ({ part: part.trim().toLowerCase(), weight: weightOf(part) }))
  const ours = parts.filter(({ part, weight }) => /^(en|ru)\b/.test(part) && weight > 0)
  const [first] = ours.sort((a, b) => b.weight - a.weight)
  return first?.part.startsWith('ru') ? 'ru' : 'en'
}

/** The language that a person chose in the client; for nobody, and without one, that of the browser. */
export async function languageOf({
  ctx,
  request,
}: {
  ctx: Context
  request: FastifyRequest
}): Promise<Language> {
  const actor = await sessionOf(ctx, request).catch(notIfRefused)
  const chosen = actor && (await findLanguage(ctx.db, actor.user_id))
  return chosen ?? browserLanguage(request.headers['accept-language'])
}

/** Who is suspended is told so by the page. */
function notIfRefused(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}
