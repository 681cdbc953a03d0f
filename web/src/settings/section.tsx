import type { ComponentChildren } from 'preact'

interface SectionProps {
  title: string
  text?: string
  children: ComponentChildren
}

/** A part of a page of settings. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <section class="settings-section">
      <h2>{title}</h2>
      {text && <p class="quiet">{text}</p>}
      {children}
    </section>
  )
}
