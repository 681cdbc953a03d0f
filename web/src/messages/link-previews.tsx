import type { ShownLinkPreview } from '@parley/contract'
import './link-previews.css'

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

export function LinkPreviews({ previews }: { previews: readonly ShownLinkPreview[] }) {
  return (
    <>
      {previews.map(({ url, title, description, image_url }) => (
        <a key={url} class="preview" href={url} target="_blank" rel="noopener noreferrer">
          <span class="preview-text">
            <span class="quiet">{hostOf(url)}</span>
            <b>{title}</b>
            <span class="preview-about">{description}</span>
          </span>
          {image_url && (
            <img class="preview-picture" src={image_url} alt="" loading="lazy" decoding="async" />
          )}
        </a>
      ))}
    </>
  )
}
