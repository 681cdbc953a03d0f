/** A section of the list that a person made: a name and the chats that were put there. */
export interface Section {
  id: string
  name: string
  chat_ids: readonly number[]
}

export type Sections = readonly Section[]

export function addSection(sections: Sections, id: string, name: string): Sections {
  return [...sections, { id, name, chat_ids: [] }]
}

export function renameSection(sections: Sections, id: string, name: string): Sections {
  return sections.map((one) => (one.id === id ? { ...one, name } : one))
}

/** Its chats go back to where they would be without it. */
export function removeSection(sections: Sections, id: string): Sections {
  return sections.filter((one) => one.id !== id)
}

/** One place up or down; at the ends it stays. */
export function moveSection(sections: Sections, id: string, step: -1 | 1): Sections {
  const from = sections.findIndex((one) => one.id === id)
  const moved = sections[from]
  const to = from + step
  if (!moved || to < 0 || to >= sections.length) return sections
  const rest = sections.filter((one) => one !== moved)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}

/** A chat is in one section at most; null takes it out. */
export function putChat(sections: Sections, chatId: number, id: string | null): Sections {
  return sections.map((one) => {
    const rest = one.chat_ids.filter((known) => known !== chatId)
    if (one.id === id) return { ...one, chat_ids: [...rest, chatId] }
    return rest.length === one.chat_ids.length ? one : { ...one, chat_ids: rest }
  })
}

export function sectionOf(sections: Sections, chatId: number): string | null {
  return sections.find(({ chat_ids }) => chat_ids.includes(chatId))?.id ?? null
}

/** Preferences are any JSON that some client wrote: what is no section is left out. */
export function readSections(kept: unknown): Sections {
  if (!Array.isArray(kept)) return []
  return kept.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return []
    const { id, name, chat_ids } = one as Record<string, unknown>
    if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(chat_ids)) return []
    return [{ id, name, chat_ids: chat_ids.filter((chatId) => typeof chatId === 'number') }]
  })
}
