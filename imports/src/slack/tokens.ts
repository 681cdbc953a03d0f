import type { RichBlock, RichInline, RichText } from '../text/rich-text.js'

/** Addresses of the service carry the token of the export, wherever they stand. */
export function withoutTokens(text: string): string {
  if (!text.includes('t=xox')) return text
  return text.replace(/\?t=xox[a-z]-[\w-]+(&?)|&t=xox[a-z]-[\w-]+/g, (_, more?: string) => (more ? '?' : ''))
}

function cleanInline(inline: RichInline): RichInline {
  if ('text' in inline) return { ...inline, text: withoutTokens(inline.text) }
  if (!('children' in inline)) return inline
  const children = inline.children.map(cleanInline)
  return inline.type === 'link'
    ? { ...inline, url: withoutTokens(inline.url), children }
    : { ...inline, children }
}

const cleanBlock = (block: RichBlock): RichBlock =>
  block.type === 'code'
    ? { ...block, text: withoutTokens(block.text) }
    : { ...block, children: block.children.map(cleanInline) }

export const cleanText = (text: RichText): RichText => text.map(cleanBlock)
