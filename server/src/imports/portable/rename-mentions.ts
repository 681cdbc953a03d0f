import { extractMentions, type Inline, parseText } from '@parley/contract'

function codeIn(inlines: readonly Inline[]): string[] {
  return inlines.flatMap((inline) => {
    if (inline.type === 'code') return [inline.text]
    return 'children' in inline ? codeIn(inline.children) : []
  })
}

/** What stands in code, where nobody is mentioned. */
function codeOf(source: string): string {
  const code = parseText(source).flatMap((block) =>
    block.type === 'code' ? [block.text] : codeIn(block.children),
  )
  return JSON.stringify(code)
}

/** The text with other nicknames in its mentions; names are given in small letters. */
export function renameMentions(source: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0 || !source.includes('@')) return source
  const mentioned = extractMentions(source).names.filter((name) => names.has(name.toLowerCase()))
  if (mentioned.length === 0) return source
  const code = codeOf(source)
  let text = source
  for (const name of mentioned) {
    const nickname = names.get(name.toLowerCase()) as string
    for (let at = text.indexOf(`@${name}`); at >= 0; ) {
      const renamed = `${text.slice(0, at)}@${nickname}${text.slice(at + name.length + 1)}`
      // An occurrence inside code, or at the head of a longer name, is left.
      const isMention = !/[\p{L}\p{N}_]/u.test(text[at + name.length + 1] ?? '') && codeOf(renamed) === code
      if (isMention) text = renamed
      at = text.indexOf(`@${name}`, at + (isMention ? nickname.length : name.length) + 1)
    }
  }
  return text
}
