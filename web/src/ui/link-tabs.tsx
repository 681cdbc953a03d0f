import { useEffect, useRef } from 'preact/hooks'
import './link-tabs.css'

interface LinkTabsProps {
  label: string
  links: readonly { href: string; label: string; current: boolean }[]
}

/** Parts of one place, each with an address of its own. */
export function LinkTabs({ label, links }: LinkTabsProps) {
  const bar = useRef<HTMLElement>(null)
  const current = links.find((link) => link.current)?.href
  // On a narrow screen the current one may be beyond the edge.
  useEffect(() => {
    if (!bar.current || current === undefined) return
    const { current: element } = bar
    const show = () =>
      element.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    const watch = new ResizeObserver(show)
    watch.observe(element)
    return () => watch.disconnect()
  }, [current])
  return (
    <nav ref={bar} class="link-tabs" aria-label={label}>
      {links.map(({ href, label: name, current }) => (
        <a key={href} href={href} aria-current={current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
