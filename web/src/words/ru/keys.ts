import type { Words } from '../index.js'

export const keys: Words['keys'] = {
  title: 'Сочетания клавиш',
  help: 'Показать сочетания клавиш',
  jump: 'Перейти или найти',
  skip: 'К содержанию',
  chatBelow: 'Следующий чат',
  chatAbove: 'Предыдущий чат',
  writing: 'При вводе',
  send: 'Отправить',
  newLine: 'Новая строка',
  editLast: 'Изменить последнее своё сообщение (в пустом поле)',
  reading: 'В списке сообщений',
  walk: 'От сообщения к сообщению',
  actions: 'Действия с сообщением',
  toField: 'Назад к полю ввода',
}
