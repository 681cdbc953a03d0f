import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { LineKind } from './layout.js'

const Id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Small = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const Time = Type.String({ pattern: '^(?:19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$' })
const Hash = Type.String({ pattern: '^[\\da-f]{64}$' })
/** What indexes hold has a limit. */
const Name = Type.String({ maxLength: 255 })
const Word = Type.String({ maxLength: 1024 })
const Text = Type.String({ maxLength: 200_000 })
const Flag = Type.Boolean()
const Ids = Type.Array(Id, { maxItems: 1000 })
const Words = Type.Array(Word, { maxItems: 1000 })
/** JSON of the product whose members are no matter of the file. */
const Json = Type.Union([Type.Object({}), Type.Array(Type.Unknown())])

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <T extends string>(...values: T[]) => Type.Unsafe<T>({ enum: values })
const line = <T extends TProperties>(properties: T) => Type.Object(properties)

const ChatRole = oneOf('owner', 'admin', 'editor', 'member')
const DataType = oneOf('string', 'number', 'date', 'link')

const Level = oneOf('all', 'mentions', 'nothing')
const TimeOfDay = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' })

const Notifications = Type.Object({
  level: Level,
  keywords: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 }),
  quiet_hours: orNull(Type.Object({ from: TimeOfDay, to: TimeOfDay })),
  sound: Flag,
  mail_digest: oneOf('off', 'hourly', 'daily'),
  mail_language: orNull(oneOf('en', 'ru')),
  digest_sent_at: orNull(Time),
})

const Person = line({
  id: Id,
  nickname: Name,
  email: orNull(Name),
  first_name: orNull(Word),
  last_name: orNull(Word),
  phone_number: orNull(Word),
  department: orNull(Word),
  title: orNull(Word),
  role: oneOf('owner', 'admin', 'user', 'multi_guest', 'guest'),
  suspended: Flag,
  invite_status: oneOf('sent', 'confirmed'),
  inviter_id: orNull(Id),
  sso: Flag,
  time_zone: orNull(Word),
  picture: orNull(Hash),
  status: orNull(Json),
  preferences: orNull(Type.Object({ value: Json, changed_at: Time })),
  /** Files from before there were notification settings lack it. */
  notifications: Type.Optional(orNull(Notifications)),
  created_at: Time,
  last_activity_at: orNull(Time),
  deleted_at: orNull(Time),
})

const Bot = line({
  id: Id,
  nickname: Name,
  name: orNull(Word),
  picture: orNull(Hash),
  suspended: Flag,
  creator_id: orNull(Id),
  events: Words,
  trigger_on: oneOf('commands', 'all_messages', 'unfurl'),
  commands: Words,
  template: Text,
  template_engine: oneOf('liquid', 'mustache'),
  link_preview_enabled: Flag,
  ignore_self_messages: Flag,
  events_history_enabled: Flag,
  single_chat: Flag,
  can_edit: Words,
  who_can_add: oneOf('creator', 'creator_admin', 'creator_admin_user', 'anyone'),
  type: orNull(oneOf('simple', 'gitlab', 'grafana')),
  unfurl_domains: Words,
  /** Only where addresses were asked for. */
  outgoing_url: orNull(Type.String({ maxLength: 4096 })),
  promo: orNull(Type.Object({ description: orNull(Text), published: Flag, pictures: Type.Array(Hash) })),
  created_at: Time,
  deleted_at: orNull(Time),
})

const File = line({
  id: Id,
  /** Null where the bytes were not there, or left out. */
  sha256: orNull(Hash),
  state: oneOf('stored', 'missing', 'left_out'),
  size: Count,
  name: Name,
  type: oneOf('file', 'image', 'audio', 'voice', 'video'),
  width: orNull(Count),
  height: orNull(Count),
  measured_width: orNull(Small),
  measured_height: orNull(Small),
  duration_ms: orNull(Count),
  waveform: orNull(Text),
  /** Files from before there were transcripts lack it. */
  transcript: Type.Optional(orNull(Text)),
  protected: Flag,
  owner_id: Id,
  message_id: orNull(Id),
  draft_id: orNull(Id),
  position: Small,
  uploaded_at: Time,
})

const Chat = line({
  id: Id,
  type: oneOf('conversation', 'channel', 'personal', 'thread'),
  name: Word,
  description: orNull(Text),
  public: Flag,
  owner_id: Id,
  /** Of a personal chat: whose it is; both the same in a chat with oneself. */
  people: orNull(Type.Array(Id, { minItems: 2, maxItems: 2 })),
  tag_ids: Ids,
  archived_at: orNull(Time),
  created_at: Time,
  last_message_at: Time,
})

const Member = line({
  chat_id: Id,
  person_id: Id,
  role: ChatRole,
  by_hand: Flag,
  tag_ids: Ids,
  joined_at: Time,
  hidden: Flag,
  notify_threads: Flag,
  /** Files from before there were notification settings lack it. */
  notifications: Type.Optional(orNull(Type.Object({ level: orNull(Level), muted_until: orNull(Time) }))),
})

const Preview = Type.Object({
  position: Small,
  url: Text,
  title: Text,
  description: Text,
  image_url: orNull(Text),
  picture: orNull(Hash),
})

const Forwarding = Type.Object({
  original_message_id: orNull(Id),
  original_chat_id: orNull(Id),
  author_id: orNull(Id),
  original_created_at: orNull(Word),
  original_thread_id: orNull(Id),
  original_thread_message_id: orNull(Id),
  original_thread_parent_chat_id: orNull(Id),
})

const SystemEvent = Type.Object({
  kind: Word,
  actor_id: orNull(Id),
  user_ids: Ids,
  users_count: Small,
  name: orNull(Word),
})

const Message = line({
  id: Id,
  chat_id: Id,
  /** The chat that a thread hangs in; the chat itself outside threads. */
  root_chat_id: Id,
  author_id: Id,
  content: Text,
  parent_id: orNull(Id),
  buttons: orNull(Json),
  display_name: orNull(Word),
  display_avatar_url: orNull(Text),
  forwarding: orNull(Forwarding),
  system: Flag,
  system_event: orNull(SystemEvent),
  files: Type.Array(Id, { maxItems: 1000 }),
  mentions: Type.Array(Type.Object({ person_id: orNull(Id), tag_id: orNull(Id) })),
  previews: Type.Array(Preview, { maxItems: 100 }),
  created_at: Time,
  changed_at: Time,
  deleted_at: orNull(Time),
})

const Draft = line({
  id: Id,
  person_id: Id,
  chat_id: orNull(Id),
  to_person_id: orNull(Id),
  content: Text,
  parent_id: orNull(Id),
  interval: orNull(
    oneOf(
      'once',
      'daily',
      'weekly',
      'monthly',
      'every_2_months',
      'every_3_months',
      'every_4_months',
      'every_6_months',
      'yearly',
    ),
  ),
  start_date: orNull(Time),
  end_date: orNull(Time),
  days: orNull(Type.Array(Type.Integer({ minimum: -366, maximum: 366 }), { maxItems: 366 })),
  nth_day: orNull(Type.Integer({ minimum: -366, maximum: 366 })),
  next_send_at: orNull(Time),
  due_at: orNull(Time),
  failures: Small,
  utc_offset: Type.Integer({ minimum: -1440, maximum: 1440 }),
  time_zone: orNull(Word),
  created_at: Time,
  updated_at: Time,
})

const Task = line({
  id: Id,
  type: oneOf('call', 'email', 'event', 'meeting', 'reminder'),
  content: Text,
  due_at: orNull(Time),
  all_day: Flag,
  priority: Type.Integer({ minimum: 1, maximum: 3 }),
  person_id: Id,
  chat_id: orNull(Id),
  done_at: orNull(Time),
  remind_at: orNull(Time),
  performer_ids: Ids,
  properties: Type.Array(Type.Object({ property_id: Id, value: Text })),
  created_at: Time,
})

const Setting = Type.Union([
  line({
    setting: Type.Literal('company'),
    name: Word,
    time_zone: Word,
    integrations: oneOf('admins', 'all'),
    personal_tokens: oneOf('admins', 'all'),
    show_personal_data: Flag,
    perimeter: Words,
    own_names: oneOf('admins', 'all'),
    removed_members_keep_threads: Flag,
  }),
  line({ setting: Type.Literal('retention'), person_id: Id, days: Json, created_at: Time }),
  line({
    setting: Type.Literal('dlp_rule'),
    id: Id,
    name: Word,
    priority: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
    enabled: Flag,
    body: Json,
    created_at: Time,
    updated_at: Time,
  }),
])

const Audit = line({
  position: Count,
  id: Word,
  sequence: Count,
  created_at: Word,
  event_key: Word,
  actor_id: Count,
  entity_type: Word,
  entity_id: Word,
  /** The text that is hashed. */
  details: Text,
  ip_address: orNull(Word),
  user_agent: orNull(Text),
  previous_hash: Type.String({ pattern: '^([\\da-f]{64})?$' }),
  hash: Hash,
})

/** A further address of a bot; `url` is null unless addresses were asked for. Keys and headers are none of it. */
const Endpoint = line({
  bot_id: Id,
  name: Name,
  url: orNull(Word),
  events: Words,
  chat_ids: orNull(Ids),
  trigger: oneOf('commands', 'all_messages', 'unfurl'),
  signature: oneOf('hmac', 'ed25519'),
  disabled: Flag,
  created_at: Time,
})

/** Every kind of line. Fields that are not named here are ignored. */
export const LINES = {
  person: Person,
  bot: Bot,
  tag: line({ id: Id, name: Name, created_at: Time }),
  tag_member: line({ tag_id: Id, person_id: Id }),
  property: line({
    id: Id,
    entity_type: oneOf('User', 'Task'),
    name: Name,
    data_type: DataType,
    created_at: Time,
  }),
  property_value: line({ property_id: Id, person_id: Id, value: Text }),
  file: File,
  chat: Chat,
  chat_member: Member,
  endpoint: Endpoint,
  message: Message,
  thread: line({
    id: Id,
    chat_id: Id,
    message_id: orNull(Id),
    parent_chat_id: orNull(Id),
    creator_id: Id,
    created_at: Time,
    updated_at: Time,
  }),
  reaction: line({ message_id: Id, person_id: Id, emoji: Name, code: Name, name: Name, created_at: Time }),
  pin: line({ message_id: Id, chat_id: Id, person_id: Id, pinned_at: Time }),
  read: line({ chat_id: Id, person_id: Id, message_id: Id }),
  draft: Draft,
  task: Task,
  setting: Setting,
  import_key: line({
    source: Name,
    source_workspace: Name,
    kind: Name,
    source_id: Type.String({ maxLength: 600 }),
    id: Id,
  }),
  audit: Audit,
} satisfies Record<LineKind, TSchema>

export type Line<K extends LineKind> = Static<(typeof LINES)[K]>

const compiled = new Map<LineKind, ReturnType<typeof Compile>>()

/** What is wrong with a line; undefined where it is as it should be. */
export function faultOfLine(kind: LineKind, value: unknown): string | undefined {
  let check = compiled.get(kind)
  if (!check) {
    check = Compile(LINES[kind])
    compiled.set(kind, check)
  }
  if (check.Check(value)) return faultOfTimes(value as object)
  const [error] = check.Errors(value)
  return error ? `${error.instancePath || 'it'} ${error.message}` : 'is not as it should be'
}

const TIME = /_(?:at|date)$/

/** A day that no calendar has. */
function faultOfTimes(line: object): string | undefined {
  for (const [name, value] of Object.entries(line))
    if (TIME.test(name) && typeof value === 'string') {
      const date = new Date(value)
      if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== value.slice(0, 19))
        return `/${name} is no time`
    }
  return undefined
}
