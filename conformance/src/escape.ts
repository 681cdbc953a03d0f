const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 cannot hold control characters. */
const isText = (sign: string) => sign >= ' ' || sign === '\n' || sign === '\t'

/** Text for XML and HTML. */
export function escapeText(text: string): string {
  return [...text]
    .filter(isText)
    .map((sign) => ENTITIES[sign] ?? sign)
    .join('')
}
