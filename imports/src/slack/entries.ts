import type { Archive } from '../archive/archive.js'
import type { FindBytes } from './files.js'
import type { FindPicture } from './people.js'

const DAY = /^\d{4}-\d{2}-\d{2}\.json$/

/** Lists at the top, folders of chats with their days and what lies beside them, and what tools add. */
export const KNOWN =
  /^(teams\/[^/]+\/)?([a-z_]+\.json|[^/]+\/([^/]+\.json|attachments\/[^/]+)|__uploads\/.+|__avatars\/.+)$/

export function isDay(name: string): boolean {
  return DAY.test(name.split('/').at(-1) ?? '')
}

/** An export of an organisation holds one export a workspace below `teams/`. */
export function roots(archive: Archive): string[] {
  const teams = new Set<string>()
  for (const name of archive.entries.keys()) {
    const team = /^teams\/[^/]+\//.exec(name)?.[0]
    if (team) teams.add(team)
  }
  return ['', ...teams]
}

/** The days of each folder. A channel's folder has its present name; that of a direct chat its id. */
export function daysByFolder(archive: Archive) {
  const folders = new Map<string, string[]>()
  for (const name of archive.entries.keys()) {
    if (!isDay(name)) continue
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    const days = folders.get(folder)
    if (days) days.push(name)
    else folders.set(folder, [name])
  }
  return {
    take(root: string, folder: string, id: string): string[] {
      const name = [`${root}${folder}/`, `${root}${folder.normalize('NFC')}/`, `${root}${id}/`].find((key) =>
        folders.has(key),
      )
      if (!name) return []
      const days = folders.get(name) ?? []
      folders.delete(name)
      return days.sort()
    },
    left: () => folders.keys(),
  }
}

/** `__uploads/<id>/<name>`, or `<chat>/attachments/<id>-<name>`. */
export function bytesOf(archive: Archive): FindBytes {
  const byId = new Map<string, string>()
  for (const name of archive.entries.keys()) {
    const id =
      /(?:^|\/)__uploads\/([^/]+)\/[^/]+$/.exec(name)?.[1] ??
      /\/attachments\/([A-Z0-9]+)-[^/]+$/.exec(name)?.[1]
    if (id) byId.set(id, name)
  }
  return (id) => byId.get(id) ?? null
}

/** `__avatars/<id>/<name>`, from tools that fetch them: the export itself has addresses alone. */
export function picturesOf(archive: Archive): FindPicture {
  const byId = new Map<string, { picture: string }>()
  for (const picture of archive.entries.keys()) {
    const id = /(?:^|\/)__avatars\/([^/]+)\/[^/]+$/.exec(picture)?.[1]
    if (id) byId.set(id, { picture })
  }
  return (id) => byId.get(id)
}
