import type { ComponentChildren } from 'preact'

/** One part with its name. */
export function Shelf({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="shelf">
      <h2>{title}</h2>
      <div class="shelf-row">{children}</div>
    </section>
  )
}
