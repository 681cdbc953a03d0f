import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The build puts `docs/guides` here. */
const FOLDER = fileURLToPath(new URL('../../guides', import.meta.url))

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? ''
}

/** What a heading is called in an address. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

/** The order of the list of guides. */
function orderIn(list: string): string[] {
  return [...list.matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, name = '']) => name)
}

/** All guides as one text in which they refer to each other; empty where they are not built. */
export function readGuides(): string {
  if (!existsSync(FOLDER)) return ''
  const texts = new Map(
    readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const),
  )
  const linked = (text: string) =>
    text
      .replaceAll(/\]\((\w[\w-]*\.md)\)/g, (whole, name) =>
        texts.has(name) ? `](#description/${slugOf(titleOf(texts.get(name) ?? ''))})` : whole,
      )
      // What is elsewhere in the repository has no address here.
      .replaceAll(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, '$1')
  return orderIn(texts.get('README.md') ?? '')
    .map((name) => linked(texts.get(name) ?? ''))
    .join('\n')
}
