import type { Words } from '../index.js'
import { plural } from './plural.js'

export const search: Words['search'] = {
  title: 'Поиск',
  what: 'Поиск по сообщениям',
  inChat: 'Где',
  anyChat: 'Любой чат',
  from: 'От кого',
  anybody: 'Любой автор',
  after: 'С',
  before: 'По',
  clear: (label) => `Убрать фильтр: ${label}`,
  begin: 'Поиск по всему, что вам доступно',
  beginHint: 'Введите слова и нажмите Enter. Уточните чат, автора или даты.',
  nothingHint: 'Попробуйте меньше слов или уберите фильтр.',
  results: 'Результаты',
  found: (count) => plural(count, { one: '# сообщение', few: '# сообщения', other: '# сообщений' }),
  foundMore: (count) =>
    `Больше ${plural(count, { one: '# сообщения', few: '# сообщений', other: '# сообщений' })}`,
}
