import { type Static, Type } from 'typebox'
import {
  IMPORT_FAULTS,
  IMPORT_LOST,
  IMPORT_REASONS,
  type ImportFaultCode,
  type ImportLostCode,
  type ImportReasonCode,
} from './import-reasons.js'
import { operation } from './operation.js'
import { OWNER } from './scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  Timestamp,
} from './shapes.js'

const Count = Type.Integer({ minimum: 0 })

/** What became of an archive: for each kind read = written + merged + skipped. */
export const ImportReport = Type.Object({
  id: Id,
  source: Type.String({ description: 'The kind of archive, such as `slack`.' }),
  workspace: Type.String(),
  archive: Type.String({ description: 'The archive, as it was named.' }),
  archive_sha256: Nullable(Type.String(), {
    description: 'The SHA-256 of the archive in hexadecimal; null of a folder, and of a check.',
  }),
  user_id: Nullable(Id, { description: 'Who imported it; null in reports of earlier versions.' }),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The choices that were made.',
  }),
  state: Type.String(),
  started_at: Timestamp,
  finished_at: NullableTimestamp,
  counts: Type.Record(
    Type.String(),
    Type.Object({
      read: annotated(Count, { description: 'Records of this kind in the archive.' }),
      written: annotated(Count, { description: 'Those that are new here.' }),
      merged: annotated(Count, { description: 'Those that were here already.' }),
      skipped: annotated(Count, { description: 'Those that were left out; the remarks say why.' }),
    }),
    { description: 'Numbers for each kind of record: read = written + merged + skipped.' },
  ),
  estimate: Nullable(
    Type.Object({
      seconds: annotated(Count, {
        description: 'How long the check took. A run takes as long, and copies the bytes of files besides.',
      }),
      file_bytes: annotated(Count, { description: 'Bytes of files that a run stores.' }),
      database_bytes: annotated(Count, {
        description: 'By how much the tables grew in the check; less where they had free space.',
      }),
    }),
    { description: 'What a run needs; null but for a check.' },
  ),
  remarks: Type.Array(
    Type.Object({
      kind: Type.String({ description: '`skipped`, `lost` or `warning`.' }),
      of: Type.String({ description: 'The kind of record.' }),
      reason: Type.String({ description: 'A sentence in English, such as `is a system message`.' }),
      code: Nullable(Enum(Object.keys(IMPORT_REASONS) as ImportReasonCode[]), {
        description: 'The reason, for clients with words of their own; null where no code tells it.',
      }),
      detail: Nullable(Type.String(), {
        description: 'What the reason names, such as the kind of a message; null for most reasons.',
      }),
      count: Count,
      ids: Type.Array(Type.String(), { description: 'Some of the ids of the source.' }),
    }),
    { description: 'What was left out or lost, and why.' },
  ),
  lost: Type.Array(Type.String(), { description: 'What this kind of source never holds.' }),
  lost_codes: Type.Array(Nullable(Enum(Object.keys(IMPORT_LOST) as ImportLostCode[])), {
    description: 'The same as codes, for clients with words of their own; null where no code tells it.',
  }),
})

/** An order to check, run or undo an import, and how far it is. */
export const ImportOrder = Type.Object({
  id: Id,
  kind: Enum(['check', 'run', 'undo']),
  state: Enum(['waiting', 'running', 'done', 'failed']),
  archive: Type.String({ description: 'The path, or the key of the upload or of its first part.' }),
  import_id: Nullable(Id, { description: 'The import, once it has begun. Checks have none.' }),
  progress: Nullable(
    Type.Object({
      phase: Type.String({ description: '`read`, then the kind of record that is written.' }),
      done: annotated(Count, { description: 'Records of this phase that are done.' }),
      total: Nullable(Count, { description: 'Records of this phase; null while that is not known.' }),
      rate: annotated(Count, { description: 'Records of this phase a second.' }),
      seconds_left: Nullable(Count, { description: 'Of this phase; null while that is not known.' }),
    }),
    { description: 'How far it is; null before it begins.' },
  ),
  error: Nullable(Type.String(), {
    description: 'Why it failed, in a sentence. While it waits: why the last attempt failed.',
  }),
  error_code: Nullable(Enum(Object.keys(IMPORT_FAULTS) as ImportFaultCode[]), {
    description: 'The same as a code, for clients with words of their own; null where no code tells it.',
  }),
  error_detail: Nullable(Type.String(), {
    description: 'What the error names, such as the chats that were used since; null for most errors.',
  }),
  report: Nullable(ImportReport, { description: 'Once it is done.' }),
  created_at: Timestamp,
  finished_at: NullableTimestamp,
})
export type ImportOrder = Static<typeof ImportOrder>

const Options = Type.Object({
  chats: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Only these, by name or id of the source; `*` stands for the rest of an id: `north/*` is one team of Mattermost.',
    }),
  ),
  only_public: Type.Optional(Type.Boolean({ description: 'Leaves closed and personal chats out.' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Only messages from this time on.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Only messages before this time.' })),
  without_files: Type.Optional(Type.Boolean({ description: 'Leaves files out.' })),
  guests: Type.Optional(Enum(['guest', 'user', 'skip'])),
  system_messages: Type.Optional(
    annotated(Enum(['keep', 'skip']), {
      description: 'Whether lines about joining and renaming come along.',
    }),
  ),
  deactivated: Type.Optional(
    annotated(Enum(['suspended', 'placeholder']), {
      description: 'Whether deactivated people come as suspended accounts or as authors alone.',
    }),
  ),
  name_prefix: Type.Optional(Type.String({ maxLength: 100, description: 'Put before the names of chats.' })),
  topics: Type.Optional(
    annotated(Enum(['threads', 'flat']), {
      description:
        'Of Zulip: whether each topic becomes a thread, or all messages stand in the chat with the topic where it changes.',
    }),
  ),
})

export const ImportOrderRequest = Type.Object({
  import: Type.Object(
    {
      kind: Enum(['check', 'run']),
      path: Type.Optional(
        Type.String({ description: 'An archive in the folder that the operator set for imports.' }),
      ),
      file_key: Type.Optional(Type.String({ description: 'An archive that the caller has uploaded.' })),
      file_keys: Type.Optional(
        Type.Array(Type.String(), {
          minItems: 1,
          maxItems: 10_000,
          description:
            'An archive that the caller has uploaded in parts, in their order. A part that failed is uploaded again; the others stay.',
        }),
      ),
      order_id: Type.Optional(
        annotated(Id, {
          description: 'An earlier order: its archive with its choices, such as what was checked.',
        }),
      ),
      workspace: Type.Optional(
        Type.String({ maxLength: 100, description: 'Tells two workspaces of one kind of source apart.' }),
      ),
      public_key: Type.Optional(
        Type.String({
          maxLength: 1000,
          description:
            'An Ed25519 public key in PEM: only a portable file that is signed with its private key is taken.',
        }),
      ),
      options: Type.Optional(Options),
      mapping: Type.Optional(
        Type.Object(
          {
            people: Type.Optional(
              Type.Record(Type.String(), Type.String(), {
                description: 'Ids of the source to mails or nicknames.',
              }),
            ),
            chats: Type.Optional(
              Type.Record(Type.String(), Id, { description: 'Ids of the source to ids of chats here.' }),
            ),
            fields: Type.Optional(
              Type.Record(Type.String(), Type.String({ maxLength: 255 }), {
                description: 'Ids of profile fields to their names, which an export of Slack does not hold.',
              }),
            ),
            tags: Type.Optional(
              Type.Record(Type.String(), Type.String({ maxLength: 255 }), {
                description:
                  'Ids of user groups to names of tags here: texts of Slack name groups that its exports do not describe.',
              }),
            ),
          },
          { description: 'Who and what of the source is here already, and what fields are called.' },
        ),
      ),
    },
    { description: 'What to import, and how.' },
  ),
})
export type ImportOrderRequest = Static<typeof ImportOrderRequest>

const ofOwner = {
  area: 'Imports',
  access: 'Workspace owner only.',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
  addition: true,
} as const

export const orderImport = operation({
  ...ofOwner,
  id: 'orderImport',
  summary: 'Check or run an import of another messenger',
  description:
    'Done in the background, one at a time. Name the archive by one of `path`, `file_key`, `file_keys` and `order_id`. Ordering a run of the same archive again goes on where it was broken off, or adds what is new.',
  method: 'POST',
  path: '/company/imports',
  body: ImportOrderRequest,
  returns: { status: 201, body: Data(ImportOrder) },
  problems: { 422: ['blank', 'invalid', 'not_found'] },
})

export const listImports = operation({
  ...ofOwner,
  id: 'listImports',
  summary: 'Orders of imports and how far they are, newest first',
  method: 'GET',
  path: '/company/imports',
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(ImportOrder) },
})

export const getImport = operation({
  ...ofOwner,
  id: 'getImport',
  summary: 'An order of an import: its progress, then its report',
  method: 'GET',
  path: '/company/imports/{id}',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(ImportOrder) },
  problems: { 404: ['not_found'] },
})

export const undoImport = operation({
  ...ofOwner,
  id: 'undoImport',
  summary: 'Take out what an import made',
  description: 'Done in the background, where nobody has written in its chats since.',
  method: 'POST',
  path: '/company/imports/{id}/undo',
  params: Type.Object({ id: Id }),
  returns: { status: 201, body: Data(ImportOrder) },
  problems: { 404: ['not_found'], 422: ['invalid'] },
})

/** What an undo would remove. */
export const ImportUndoPreview = Type.Object({
  counts: Type.Record(Type.String(), Count, {
    description: 'How much of each kind of record it would remove.',
  }),
  used_chats: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
    description: 'Chats in which somebody has written since, at most 20. While there are any, an undo fails.',
  }),
})
export type ImportUndoPreview = Static<typeof ImportUndoPreview>

export const previewImportUndo = operation({
  ...ofOwner,
  id: 'previewImportUndo',
  summary: 'What an undo of an import would remove',
  method: 'GET',
  path: '/company/imports/{id}/undo',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(ImportUndoPreview) },
  problems: { 404: ['not_found'], 422: ['invalid'] },
})
