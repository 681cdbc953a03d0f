const ITEMS = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex="-1"][role]'

type Where = 'first' | 'last' | KeyboardEvent

/** Moves the focus among the items of a menu or a toolbar, by the keys that such parts share. */
export function moveFocus(box: HTMLElement, where: Where, axis: 'vertical' | 'horizontal' = 'vertical') {
  const items = itemsOf(box)
  if (typeof where === 'string') return items.at(where === 'first' ? 0 : -1)?.focus()
  const at = items.indexOf(document.activeElement as HTMLElement)
  const [back, forth] = axis === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
  const next =
    where.key === forth
      ? items[(at + 1) % items.length]
      : where.key === back
        ? items.at(at - 1)
        : where.key === 'Home'
          ? items[0]
          : where.key === 'End'
            ? items.at(-1)
            : byLetter(items, at, where)
  if (!next) return
  where.preventDefault()
  next.focus()
}

function itemsOf(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(ITEMS)].filter((item) => item.offsetParent !== null)
}

function byLetter(items: HTMLElement[], at: number, event: KeyboardEvent): HTMLElement | undefined {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const letter = event.key.toLocaleLowerCase()
  const order = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return order.find((item) => item.textContent?.trim().toLocaleLowerCase().startsWith(letter))
}
