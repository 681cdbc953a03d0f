import type { Words } from '../index.js'

/** Written so that they fit every gender, and one person as well as several. */
export const system: Words['system'] = {
  chat_renamed: (actor, name) => `${actor}: новое название чата — «${name}»`,
  chat_opened: (actor) => `${actor}: чат открыт для всех`,
  chat_closed: (actor) => `${actor}: чат закрыт`,
  chat_archived: (actor) => `${actor}: чат отправлен в архив`,
  chat_unarchived: (actor) => `${actor}: чат возвращён из архива`,
  member_joined: (who) => `${who} теперь в чате`,
  members_added: (actor, whom) => `${actor} добавляет в чат: ${whom}`,
  member_removed: (actor, whom) => `${actor} исключает из чата: ${whom}`,
  member_left: (who) => `${who} больше не в чате`,
  tag_bound: (actor, name) => `${actor}: добавлен тег ${name}`,
  tag_unbound: (actor, name) => `${actor}: убран тег ${name}`,
}
