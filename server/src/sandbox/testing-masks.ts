/** Values that differ from run to run or are secrets, by the names of their fields. */
const MASKED: Record<string, string> = {
  token: 'Zb3kqT0…',
  access_token: 'Zb3kqT0…',
  refresh_token: 'Rm8vYw2…',
  signing_secret: 'whsec_…',
  client_secret: 'Xy…',
  client_secret_preview: 'Xy…',
  client_id: '7f3c…',
  owner_token: 'Zb3kqT0…',
  inbound_url: 'http://127.0.0.1:8080/webhooks/…',
  webhook_key: '7f3c…',
  trigger_id: 'c1b7…',
  view_id: 'e5d2…',
  submit_id: 'a4f0…',
  policy: 'eyJleHBpcmF0aW9uIjoi…',
  'x-amz-signature': '5d41402a…',
  'x-amz-credential': 'parley/…',
  'x-amz-date': '20300131T080509Z',
  key: 'attachments/…/${filename}',
  file_key: 'attachments/…/archive.zip',
  event_id: '01KG…',
  next_page: 'eyJpZCI6Nn0',
  prev_page: 'eyJpZCI6Nn0',
  avatar_url: 'http://127.0.0.1:8080/avatars/…',
  image_url: 'http://127.0.0.1:8080/avatars/…',
  meet_room_url: 'http://127.0.0.1:8080/meet/…',
  mask: 'scim_9f…c2',
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Parley:eve%40example.org?secret=JBSWY3DPEHPK3PXP',
  password: 'correct horse battery',
  current_password: 'correct horse battery',
  clientDataJSON: 'eyJ0eXBlIjoi…',
  device_code: 'GmRh…',
  push_service: 'push.example.org',
  sign_out_url: 'https://id.example.org/session/end?…',
  user_code: 'WDJB-MJHT',
}

/** Keys, codes and identifiers made at random. */
const RANDOM =
  /^(?=.*\d)(?=.*[a-zA-Z])[\w+/=.-]{22,}$|^\d{6}$|^\w{4}(-\w{4}){3}$|^[\da-f]{4,}(-[\da-f]{4,})+$/

/** Times before the clock of the sandbox was set. */
const TODAY = /^202\d-\d\d-\d\dT[\d:.]+Z$/

/** The time of the examples. */
export const NOW = '2030-01-31T08:05:09.000Z'

function maskedText(text: string, name: string, origin: string): string {
  if (MASKED[name]) return MASKED[name]
  if (name === 'id') return '01KG…'
  if (name === 'url' && /storage/.test(text)) return 'http://127.0.0.1:8080/storage/…'
  if (TODAY.test(text)) return NOW
  if (RANDOM.test(text)) return 'k3Jw9…'
  return text
    .replaceAll(/(?<=\/auth\?)\S+/g, '…')
    .replaceAll(origin, 'http://127.0.0.1:8080')
    .replaceAll(/http:\/\/127\.0\.0\.1:(?!8080)\d+/g, 'https://elsewhere.example.org')
    .replaceAll(/\/tmp\/parley-sandbox-\w+/g, '/var/lib/parley')
    .replaceAll(/person_[\da-f]{8}/g, 'carl')
    .replaceAll(/(\/(invite|reset|unsubscribe)\/)[\w.-]+/g, '$1…')
}

/** A value as the reference shows it; `origin` is the address of the server. */
export function masked(value: unknown, origin: string, name = ''): unknown {
  if (typeof value === 'string') return maskedText(value, name, origin)
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => masked(item, origin))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, origin, key)]))
}
