import './link-tabs.css'

interface LinkTabsProps {
  label: string
  links: readonly { href: string; label: string; current: boolean }[]
}

/** Parts of one place, each with an address of its own. */
export function LinkTabs({ label, links }: LinkTabsProps) {
  return (
    <nav class="link-tabs" aria-label={label}>
      {links.map(({ href, label: name, current }) => (
        <a key={href} href={href} aria-current={current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
