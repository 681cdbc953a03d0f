import type { ScopeName } from './scopes.js'

type GroupOf<S> = S extends `${infer Group}:${string}` ? Group : never
type VerbOf<S> = S extends `${string}:${infer Verb}` ? Verb : never

export interface ScopeTexts {
  groups: Readonly<Record<GroupOf<ScopeName>, string>>
  verbs: Readonly<Record<VerbOf<ScopeName>, string>>
}

const en: ScopeTexts = {
  groups: {
    audit_events: 'Audit log',
    bot_self: 'The bot itself',
    bots: 'Bots',
    chat_exports: 'Exports',
    chat_members: 'Members of chats',
    chats: 'Chats',
    company_bots: 'All bots',
    company_chats: 'All chats',
    custom_properties: 'Custom fields',
    drafts: 'Drafts',
    files: 'Files',
    group_tags: 'Tags',
    link_previews: 'Link previews',
    messages: 'Messages',
    pins: 'Pinned messages',
    profile: 'Own profile',
    profile_avatar: 'Own picture',
    profile_status: 'Own status',
    reactions: 'Reactions',
    search: 'Search',
    tasks: 'Tasks',
    threads: 'Threads',
    uploads: 'Uploads',
    user_avatar: 'Pictures of people',
    user_status: 'Statuses of people',
    users: 'People',
    views: 'Forms',
    webhooks: 'Webhooks',
  },
  verbs: {
    archive: 'Archive',
    chats: 'Find chats',
    create: 'Create',
    delete: 'Delete',
    'events:delete': 'Delete events',
    'events:read': 'Read events',
    leave: 'Leave',
    mark_unread: 'Mark as unread',
    messages: 'Find messages',
    read: 'Read',
    update: 'Change',
    users: 'Find people',
    'webhook:write': 'Set the webhook',
    write: 'Write',
  },
}

const ru: ScopeTexts = {
  groups: {
    audit_events: 'Журнал аудита',
    bot_self: 'Сам бот',
    bots: 'Боты',
    chat_exports: 'Выгрузки',
    chat_members: 'Участники чатов',
    chats: 'Чаты',
    company_bots: 'Все боты',
    company_chats: 'Все чаты',
    custom_properties: 'Дополнительные поля',
    drafts: 'Черновики',
    files: 'Файлы',
    group_tags: 'Теги',
    link_previews: 'Предпросмотр ссылок',
    messages: 'Сообщения',
    pins: 'Закреплённые сообщения',
    profile: 'Свой профиль',
    profile_avatar: 'Своя фотография',
    profile_status: 'Свой статус',
    reactions: 'Реакции',
    search: 'Поиск',
    tasks: 'Задачи',
    threads: 'Треды',
    uploads: 'Загрузка файлов',
    user_avatar: 'Фотографии людей',
    user_status: 'Статусы людей',
    users: 'Люди',
    views: 'Формы',
    webhooks: 'Вебхуки',
  },
  verbs: {
    archive: 'Архивировать',
    chats: 'Искать чаты',
    create: 'Создавать',
    delete: 'Удалять',
    'events:delete': 'Удалять события',
    'events:read': 'Читать события',
    leave: 'Выходить',
    mark_unread: 'Отмечать непрочитанным',
    messages: 'Искать сообщения',
    read: 'Читать',
    update: 'Изменять',
    users: 'Искать людей',
    'webhook:write': 'Настраивать вебхук',
    write: 'Записывать',
  },
}

/** What scopes allow, for people: `webhooks:events:read` is the right `events:read` of `webhooks`. */
export const SCOPE_TEXTS = { en, ru }

export interface ScopeGroup {
  name: string
  title: string
  scopes: { scope: string; label: string }[]
}

/** Scopes by what they are about, in the order of their titles. One that has no text is shown by its name. */
export function groupScopes({ groups, verbs }: ScopeTexts, scopes: readonly string[]): ScopeGroup[] {
  const found = new Map<string, ScopeGroup>()
  for (const scope of scopes) {
    const at = scope.indexOf(':')
    const [name, verb] = [scope.slice(0, at), scope.slice(at + 1)]
    const title = groups[name as keyof typeof groups] ?? name
    const group = found.get(name) ?? { name, title, scopes: [] }
    group.scopes.push({ scope, label: verbs[verb as keyof typeof verbs] ?? verb })
    found.set(name, group)
  }
  return [...found.values()].sort((a, b) => a.title.localeCompare(b.title))
}
