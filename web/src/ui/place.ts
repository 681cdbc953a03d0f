export interface Placing {
  side?: 'above' | 'below'
  align?: 'start' | 'end' | 'center'
}

const GAP = 6
const EDGE = 8

/** Puts a popover beside its anchor, on the other side where there is no room, and always on the screen. */
export function placeBeside(
  anchor: Element,
  popover: HTMLElement,
  { side = 'below', align = 'start' }: Placing = {},
) {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const below = at.bottom + GAP
  const above = at.top - GAP - height
  const fitsBelow = below + height <= innerHeight - EDGE
  const top = side === 'below' ? (fitsBelow || above < EDGE ? below : above) : above >= EDGE ? above : below
  const start =
    align === 'start' ? at.left : align === 'end' ? at.right - width : at.left + (at.width - width) / 2
  const left = Math.max(EDGE, Math.min(start, innerWidth - width - EDGE))
  popover.style.setProperty('--top', `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`)
  popover.style.setProperty('--left', `${left}px`)
}
