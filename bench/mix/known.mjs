// What the deeds know of the workspace: ids to choose from, by kind. What was deleted stays, so that some calls meet it.

const KEPT = 400
/** The newest are chosen this often, so that calls meet at the same things. */
const NEWEST = 12
const NEWEST_SHARE = 0.7

export function createKnown(random) {
  const kinds = new Map()
  const listOf = (kind) => {
    const list = kinds.get(kind) ?? []
    kinds.set(kind, list)
    return list
  }
  const below = (n) => Math.floor(random() * n)
  return {
    random,
    below,
    chance: (share) => random() < share,
    one: (list) => list[below(list.length)],
    add(kind, value) {
      const list = listOf(kind)
      list.push(value)
      if (list.length > KEPT) list.shift()
      return value
    },
    pick(kind) {
      const list = listOf(kind)
      if (list.length === 0) return undefined
      return random() < NEWEST_SHARE
        ? list[list.length - 1 - below(Math.min(NEWEST, list.length))]
        : list[below(list.length)]
    },
    some(kind, most) {
      const ids = Array.from({ length: 1 + below(most) }, () => this.pick(kind))
      return [...new Set(ids.filter((id) => id !== undefined))]
    },
    all: (kind) => [...listOf(kind)],
  }
}
