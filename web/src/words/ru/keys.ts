import type { Words } from '../index.js'

export const keys: Words['keys'] = {
  title: 'Сочетания клавиш',
  help: 'Показать сочетания клавиш',
  jump: 'Перейти или найти',
}
