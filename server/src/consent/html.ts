import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../platform/http/escape-html.js'
import type { Language } from '../users/language-queries.js'

/** Markup that is safe to put into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined

function safe(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map((item) => item.text).join('')
  return escapeHtml(String(part))
}

/** A template in which everything that is put in is escaped, unless it is markup already. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.map((text, index) => text + safe(parts[index])).join(''))
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1c1e21}
main{max-width:26rem;margin:8vh auto;background:#fff;padding:2rem;border-radius:12px;box-shadow:0 1px 4px #0002}
h1{font-size:1.3rem;margin:0 0 1rem}label{display:block;margin:.8rem 0}
input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid #aab;border-radius:6px}
button{font:inherit;padding:.5rem 1.2rem;border:1px solid #aab;border-radius:6px;background:#fff;margin:.8rem .5rem 0 0}
button.main{background:#2454d6;border-color:#2454d6;color:#fff}ul{padding-left:1.2rem}
.fault{color:#b3261e}.small{font-size:.85rem;color:#556}
@media(prefers-color-scheme:dark){body{background:#15171a;color:#e6e8eb}main,input,button{background:#1f2226;color:inherit}.small{color:#9aa3af}}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

export interface Page {
  language: Language
  status?: number
  title: string
  body: Html
  /** Where its form may lead besides back here. */
  leadsTo?: string
}

/** A page without scripts that nobody can frame, cache or leak an address from. */
export function sendPage(reply: FastifyReply, page: Page) {
  const target = page.leadsTo ? ` ${new URL(page.leadsTo).origin}` : ''
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  reply.headers({
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  })
  const text = `<!doctype html>
<html lang="${page.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${safe(page.title)}</title><style>${STYLE}</style></head>
<body><main><h1>${safe(page.title)}</h1>
${page.body.text}
</main></body></html>
`
  return reply
    .status(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(text)
}
