/** A text with what is selected in it. */
export interface Selected {
  text: string
  start: number
  end: number
}

export type Mark = 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'list'

/** Keys that everybody knows from other editors. */
export const MARK_KEYS: Readonly<Record<string, Mark>> = { 'Mod+B': 'bold', 'Mod+I': 'italic' }

const AROUND = { bold: '**', italic: '_', strike: '~~' } as const

/** Puts a mark around the selection, or takes it away again. */
export function applyMark(mark: Mark, { text, start, end }: Selected): Selected {
  const chosen = text.slice(start, end)
  if (mark === 'list') return eachLine({ text, start, end })
  if (mark === 'link')
    return replace(text, start, end, `[${chosen}](https://)`, chosen === '' ? 1 : chosen.length + 3, 8)
  if (mark === 'code')
    return chosen.includes('\n')
      ? replace(text, start, end, `\`\`\`\n${chosen}\n\`\`\``, 4, chosen.length)
      : wrap({ text, start, end }, '`')
  return wrap({ text, start, end }, AROUND[mark])
}

function replace(
  text: string,
  start: number,
  end: number,
  by: string,
  from: number,
  length: number,
): Selected {
  return {
    text: text.slice(0, start) + by + text.slice(end),
    start: start + from,
    end: start + from + length,
  }
}

function wrap({ text, start, end }: Selected, mark: string): Selected {
  const { length } = mark
  if (text.slice(start - length, start) === mark && text.slice(end, end + length) === mark) {
    const bare = text.slice(0, start - length) + text.slice(start, end) + text.slice(end + length)
    return { text: bare, start: start - length, end: end - length }
  }
  const marked = text.slice(0, start) + mark + text.slice(start, end) + mark + text.slice(end)
  return { text: marked, start: start + length, end: end + length }
}

function eachLine({ text, start, end }: Selected): Selected {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lines = text.slice(from, end).split('\n')
  const marked = lines.map((line) => (line.startsWith('- ') ? line.slice(2) : `- ${line}`)).join('\n')
  return { text: text.slice(0, from) + marked + text.slice(end), start: from, end: from + marked.length }
}

/** A line break that goes on with the list at the caret, or ends it where its last point is empty; null outside of lists. */
export function breakInList({ text, start, end }: Selected): Selected | null {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const [mark = '', indent = '', sign = '', number] =
    /^( *)(?:([-*+])|(\d{1,6})\.) /.exec(text.slice(from, start)) ?? []
  if (mark === '') return null
  if (from + mark.length === start && /^(\n|$)/.test(text.slice(end)))
    return replace(text, from, end, '', 0, 0)
  const next = `\n${indent}${number === undefined ? sign : `${Number(number) + 1}.`} `
  return replace(text, start, end, next, next.length, 0)
}

const HIGH_SURROGATE = /[\uD800-\uDBFF]/
const LOW_SURROGATE = /[\uDC00-\uDFFF]/

/** What of a text, from `start` to `end`, `piece` has to replace to make another one of it; no surrogate pair is split. */
export function differenceOf(text: string, next: string): { start: number; end: number; piece: string } {
  const shorter = Math.min(text.length, next.length)
  let start = 0
  while (start < shorter && text[start] === next[start]) start += 1
  if (HIGH_SURROGATE.test(text.charAt(start - 1))) start -= 1
  let same = 0
  while (same < shorter - start && text.at(-1 - same) === next.at(-1 - same)) same += 1
  if (same > 0 && LOW_SURROGATE.test(text.charAt(text.length - same))) same -= 1
  return { start, end: text.length - same, piece: next.slice(start, next.length - same) }
}

/** What is being looked up at the caret: `@mi` gives `mi`. */
export function mentionAt(text: string, caret: number): { query: string; start: number } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}_.-]{0,40})$/u.exec(text.slice(0, caret))
  if (!found) return null
  const query = found[1] ?? ''
  return { query, start: caret - query.length - 1 }
}

/** The emoji being typed: `:roc`, or `:rocket:`. */
export function emojiAt(text: string, caret: number): { query: string; start: number } | null {
  const typed = /(?:^|[\s(])(:[\p{L}+-][\p{L}\p{N}_-]{1,40}:?)$/u.exec(text.slice(0, caret))?.[1]
  return typed ? { query: typed.replaceAll(':', ''), start: caret - typed.length } : null
}

/** The command being typed: it begins the text, as bots read it nowhere else. */
export function commandAt(text: string, caret: number): { query: string; start: number } | null {
  const found = /^\/[^\s/]{0,64}$/u.exec(text.slice(0, caret))
  return found ? { query: found[0], start: 0 } : null
}

/** Commands that begin as typed, in the order of their names. */
export function matchCommands<T extends { command: string }>(commands: readonly T[], query: string): T[] {
  const wanted = query.toLocaleLowerCase()
  return commands.filter(({ command }) => command.toLocaleLowerCase().startsWith(wanted)).slice(0, 10)
}
