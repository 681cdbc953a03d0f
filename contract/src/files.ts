import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EVERYONE, NO_TOKEN, OWNER } from './scopes.js'
import { Data, Enum, Id, Nullable } from './shapes.js'

/** Kind of attachment. `video` is newer than the public document. */
export const FileType = Enum(['file', 'image', 'audio', 'voice', 'video'])
export type FileType = Static<typeof FileType>

/** Attached file of a message or a draft. */
export const File = Type.Object({
  id: Id,
  key: Type.String({ description: 'Path in storage.' }),
  name: Type.String({ description: 'Display name with extension.' }),
  file_type: FileType,
  url: Type.String({
    description:
      'Link to the content: straight to storage, valid up to 7 days, or the download operation when a secure perimeter is on.',
  }),
  width: Nullable(Type.Integer({ format: 'int32' }), {
    description: 'Pixels; null for non-images and when not given at upload.',
  }),
  height: Nullable(Type.Integer({ format: 'int32' }), {
    description: 'Pixels; null for non-images and when not given at upload.',
  }),
  measured_width: Nullable(Type.Integer({ format: 'int32' }), {
    description: 'Pixels that the content of a picture tells; null where it tells none. An addition of ours.',
  }),
  measured_height: Nullable(Type.Integer({ format: 'int32' }), {
    description: 'Pixels that the content of a picture tells; null where it tells none. An addition of ours.',
  }),
  duration_ms: Nullable(Type.Integer({ format: 'int32' }), {
    description: 'For voice, audio and video; otherwise null.',
  }),
  size: Type.Optional(Type.Integer({ format: 'int64', description: 'Bytes.' })),
})
export type File = Static<typeof File>

/** Upload form. The file must be the last part. `${filename}` left in the key is replaced by the name of the file part. */
export const FileUploadRequest = Type.Object({
  'Content-Disposition': Type.String(),
  acl: Type.String(),
  policy: Type.String(),
  'x-amz-credential': Type.String(),
  'x-amz-algorithm': Type.String(),
  'x-amz-date': Type.String(),
  'x-amz-signature': Type.String(),
  key: Type.String(),
  file: Type.String({ format: 'binary' }),
})
export type FileUploadRequest = Static<typeof FileUploadRequest>

/** Form fields for one upload; all but direct_url go into the upload form unchanged. */
export const UploadParams = Type.Object({
  'Content-Disposition': Type.String(),
  acl: Type.String(),
  policy: Type.String(),
  'x-amz-credential': Type.String(),
  'x-amz-algorithm': Type.String(),
  'x-amz-date': Type.String(),
  'x-amz-signature': Type.String(),
  key: Type.String({ description: 'Contains `${filename}`, to be replaced by the real file name.' }),
  direct_url: Type.String({ description: 'Where to post the form.' }),
})
export type UploadParams = Static<typeof UploadParams>

export const getUploadParams = operation({
  id: 'getUploadParams',
  dryRun: false,
  area: 'Files',
  summary: 'Form fields for one upload',
  description: 'The body is the bare object, without a `data` envelope. One call per file.',
  method: 'POST',
  path: '/uploads',
  scope: 'uploads:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  returns: { status: 201, body: UploadParams },
})

export const uploadFile = operation({
  id: 'uploadFile',
  area: 'Files',
  summary: 'Upload a file',
  description:
    'Callers post to the direct_url they were given. Ours is this path under base_url; another storage may answer in its own way.',
  access: 'No token; the signed fields are the secret.',
  method: 'POST',
  path: '/direct_url',
  external: true,
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'other',
  body: FileUploadRequest,
  media: ['multipart/form-data'],
  returns: { status: 204 },
  problems: { 403: [] },
  optional: true,
})

export const downloadFile = operation({
  id: 'downloadFile',
  area: 'Files',
  summary: 'Download a file',
  access: 'Attachment of a message: whoever may read the message. Attachment of a draft: its author.',
  method: 'GET',
  path: '/files/{id}',
  scope: 'files:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    target: Type.Optional(
      Enum(['pdf_preview', 'pdf_first_page', 'thumb', 'image'], {
        description: 'Variant instead of the original; one the file does not have gives 400.',
      }),
    ),
  }),
  returns: { status: 200, media: 'application/octet-stream' },
  problems: {
    400: ['decryption_failed', 'invalid'],
    403: ['confidential_download_denied', 'not_authorized'],
    404: ['not_found'],
    503: ['service_unavailable'],
  },
})

/** Addresses (IPv4, IPv6, CIDR) that files sent from them do not leave; an empty list switches the perimeter off. */
export const Perimeter = Type.Object({
  addresses: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 1000 }),
})
export type Perimeter = Static<typeof Perimeter>

export const getPerimeter = operation({
  id: 'getPerimeter',
  area: 'Files',
  summary: 'The secure perimeter',
  access: 'Workspace owner only.',
  method: 'GET',
  path: '/company/perimeter',
  scope: null,
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  returns: { status: 200, body: Data(Perimeter) },
})

export const setPerimeter = operation({
  id: 'setPerimeter',
  area: 'Files',
  summary: 'Set the secure perimeter',
  description:
    'While the list is not empty, every file is served by the download operation, to those who may read its message; files sent from a listed address are served to listed addresses alone. An empty list makes all of them ordinary again.',
  access: 'Workspace owner only.',
  method: 'PUT',
  path: '/company/perimeter',
  scope: null,
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  body: Perimeter,
  returns: { status: 200, body: Data(Perimeter) },
  problems: { 422: ['invalid', 'too_long'] },
})
