import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { ArchiveError } from '../archive/archive.js'

export const FORMAT = 'parley-workspace'
export const VERSION = { major: 1, minor: 0 }

const Number53 = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** Ids are integers of 32 bits in the API. */
const LastId = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** What ids are counted by: each is the largest that the workspace has given. */
export const IdsUpTo = Type.Object({
  people: LastId,
  tags: LastId,
  properties: LastId,
  files: LastId,
  chats: LastId,
  messages: LastId,
  threads: LastId,
  drafts: LastId,
  tasks: LastId,
  dlp_rules: LastId,
})
export type IdsUpTo = Static<typeof IdsUpTo>

export const ExportOptions = Type.Object({
  without_files: Type.Boolean(),
  without_audit: Type.Boolean(),
  without_personal_chats: Type.Boolean(),
  with_addresses: Type.Boolean(),
  since: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
})
export type ExportOptions = Static<typeof ExportOptions>

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Object({ major: Number53, minor: Number53 }),
  workspace: Type.Object({
    /** Tells workspaces apart; it names nothing. */
    id: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ maxLength: 1000 }),
    owner_id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  }),
  made_at: Type.String({ maxLength: 40 }),
  server: Type.String({ maxLength: 100 }),
  ids_up_to: IdsUpTo,
  options: ExportOptions,
})
export type Manifest = Static<typeof Manifest>

const check = Compile(Manifest)

/** The manifest of a file; a text that is none, or of another major version, is told in one line. */
export function readManifest(text: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ArchiveError('its manifest is no JSON')
  }
  const version = (value as Partial<Manifest> | null)?.version
  if (version && version.major !== VERSION.major)
    throw new ArchiveError(`its format has version ${version.major}, this program reads ${VERSION.major}`)
  if (!check.Check(value)) {
    const [error] = check.Errors(value)
    throw new ArchiveError(`its manifest is not as it should be: ${error?.instancePath} ${error?.message}`)
  }
  return value
}
