import type { Words } from '../index.js'

export const welcome: Words['welcome'] = {
  choose: 'Выберите чат',
  chooseHint: 'Все ваши чаты слева, последние сверху.',
  first: 'Пока пусто',
  firstHint: 'Вступите в открытый чат или создайте свой.',
  browse: 'Открытые чаты',
  invite: 'Пригласить людей',
}

export const emoji: Words['emoji'] = { search: 'Поиск эмодзи' }
