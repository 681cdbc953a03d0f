import type { Words } from '../index.js'
import { plural } from './plural.js'

export const search: Words['search'] = {
  title: 'Поиск',
  what: 'Поиск по сообщениям',
  inChat: 'Где',
  anyChat: 'Любой чат',
  from: 'Кто',
  anybody: 'Кто угодно',
  after: 'С',
  before: 'По',
  clear: (label) => `Убрать фильтр: ${label}`,
  begin: 'Поиск по всему, что вам видно',
  beginHint: 'Напишите слова и нажмите Enter. Уточните чат, человека или дни.',
  nothingHint: 'Попробуйте меньше слов или уберите фильтр.',
  results: 'Найденное',
  found: (count) => plural(count, { one: '# сообщение', few: '# сообщения', other: '# сообщений' }),
  foundMore: (count) =>
    `Больше ${plural(count, { one: '# сообщения', few: '# сообщений', other: '# сообщений' })}`,
}
