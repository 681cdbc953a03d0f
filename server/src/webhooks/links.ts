import { domainToASCII } from 'node:url'

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`]+/gi
const TRAILING = /[.,;:!?*_~]+$/

/** The http addresses of a text, each once, as they were typed; marks of punctuation after them are left out. */
export function linksIn(text: string): string[] {
  const found = text.match(URL_IN_TEXT) ?? []
  const links = found.map((link) => withoutOpenBracket(link.replace(TRAILING, '')))
  return [...new Set(links)].filter((link) => URL.canParse(link))
}

/** `[title](https://…)` and `(https://…)` end before the bracket that was opened outside the address. */
function withoutOpenBracket(link: string): string {
  let depth = 0
  for (let index = 0; index < link.length; index += 1) {
    const sign = link[index]
    if (sign === '(' || sign === '[') depth += 1
    if (sign === ')' || sign === ']') depth -= 1
    if (depth < 0) return link.slice(0, index).replace(TRAILING, '')
  }
  return link
}

/** The configured domain that an address lies on, itself or as a subdomain. */
export function domainOf(link: string, domains: readonly string[]): string | undefined {
  const host = new URL(link).hostname.toLowerCase().replace(/\.$/, '')
  return domains.find((domain) => {
    const name = domainToASCII(domain)
    return name !== '' && (host === name || host.endsWith(`.${name}`))
  })
}
