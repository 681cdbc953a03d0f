import type { Words } from '../index.js'

export const switcher: Words['switcher'] = {
  title: 'Перейти',
  field: 'Чат, человек или команда',
  command: 'команда',
  notJoined: 'вы не участник',
  browse: 'Открытые чаты',
  markAllRead: 'Отметить всё прочитанным',
  theme: (name) => `Тема: ${name}`,
  searchFor: (text) => `Искать в сообщениях «${text}»`,
}
