import { Parser } from 'htmlparser2'
import { firstCharacters } from '../platform/http/fault-text.js'

export interface PageFacts {
  title: string
  description: string
  image_url: string | null
}

/** The metadata of a page is at its top. */
const BYTES_READ = 64 * 1024
const TITLE_LENGTH = 300
const DESCRIPTION_LENGTH = 1000

function decoded(body: Buffer, contentType: string): string {
  const head = body.subarray(0, 4096).toString('latin1')
  const named =
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType) ?? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)
  try {
    return new TextDecoder(named?.[1] ?? 'utf-8').decode(body)
  } catch {
    return body.toString()
  }
}

/** The page up to the end of its head. */
function headOf(body: Buffer, contentType: string): string {
  const text = decoded(body.subarray(0, BYTES_READ), contentType)
  const end = text.search(/<\/head/i)
  return end < 0 ? text : text.slice(0, end)
}

function short(text: string | undefined, length: number): string {
  const line = (text ?? '').replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim()
  return firstCharacters(line, length)
}

function absolute(link: string | undefined, page: string): string | null {
  if (!link || !URL.canParse(link, page)) return null
  const { protocol, href } = new URL(link, page)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

/** Reads what a page says of itself: its Open Graph, else its title and description; undefined for a page without a title. */
export function readPage(url: string, body: Buffer, contentType: string): PageFacts | undefined {
  const facts = new Map<string, string>()
  let inTitle = false
  let title = ''
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'title') inTitle = true
      const key = attributes.property ?? attributes.name
      if (name === 'meta' && key && attributes.content) {
        const known = key.toLowerCase()
        if (!facts.has(known)) facts.set(known, attributes.content)
      }
    },
    ontext(text) {
      if (inTitle && title.length < TITLE_LENGTH * 4) title += text
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
    },
  })
  parser.end(headOf(body, contentType))
  const heading = short(facts.get('og:title') ?? facts.get('twitter:title') ?? title, TITLE_LENGTH)
  if (heading === '') return undefined
  const text = facts.get('og:description') ?? facts.get('twitter:description') ?? facts.get('description')
  const image = facts.get('og:image') ?? facts.get('og:image:url') ?? facts.get('twitter:image')
  return { title: heading, description: short(text, DESCRIPTION_LENGTH), image_url: absolute(image, url) }
}
