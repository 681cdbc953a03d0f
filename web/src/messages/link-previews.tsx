import type { ShownLinkPreview } from '@parley/contract'
import { hostOf, webAddress } from './links.js'
import './link-previews.css'

/** What strangers wrote about a page, as text alone. */
export function LinkPreviews({ previews }: { previews: readonly ShownLinkPreview[] }) {
  return (
    <>
      {previews.map((preview) => (
        <LinkPreview key={preview.url} preview={preview} />
      ))}
    </>
  )
}

function LinkPreview({ preview: { url, title, description, image_url } }: { preview: ShownLinkPreview }) {
  const address = webAddress(url)
  if (address === null) return null
  const picture = image_url && webAddress(image_url)
  return (
    <a class="preview" href={address} target="_blank" rel="noopener noreferrer">
      <span class="preview-text">
        <span class="quiet">{hostOf(address)}</span>
        <bdi class="preview-title">{title}</bdi>
        <bdi class="preview-about">{description}</bdi>
      </span>
      {picture && <img class="preview-picture" src={picture} alt="" loading="lazy" decoding="async" />}
    </a>
  )
}
