const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
const LINK = /https?:\/\/[^\s<>"`]+/gi
const TAIL = /[.,;:!?'"»”’*_~]+$/u

/** Cuts what belongs to the sentence and not to the address: a full stop, a bracket that was opened before it. */
function trimmed(link: string): string {
  let text = link
  for (;;) {
    const shorter = text.replace(TAIL, '')
    const closing = /[)\]}]$/.exec(shorter)?.[0]
    const opening = closing && { ')': '(', ']': '[', '}': '{' }[closing]
    const unopened = opening && shorter.split(closing).length > shorter.split(opening).length
    text = unopened ? shorter.slice(0, -1) : shorter
    if (text === shorter) return text
  }
}

/** The links of a message in the order of its text, each once; what is marked as code has none. */
export function linksIn(content: string): string[] {
  // The text of a link and its address are two links.
  const text = content.replace(CODE, ' ').replaceAll('](', ' ')
  const found = (text.match(LINK) ?? []).map(trimmed)
  return [...new Set(found)].filter((link) => URL.canParse(link))
}

export function firstLink(content: string): string | undefined {
  return linksIn(content)[0]
}
