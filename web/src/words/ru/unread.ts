import type { Words } from '../index.js'

export const unread: Words['unread'] = {
  title: 'Непрочитанное',
  chats: 'Чаты',
  mentions: 'Упоминания',
  readAll: 'Отметить всё прочитанным',
  read: (chat) => `Отметить прочитанным: ${chat}`,
  none: 'Вы всё прочитали',
  noneHint: 'Здесь появятся чаты с новыми сообщениями.',
  noMentions: 'Вас пока не упоминали',
  noMentionsHint: 'Здесь появятся сообщения с вашим именем, вашими тегами или @all.',
}
