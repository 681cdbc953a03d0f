import type { Words } from '../index.js'

export const keys: Words['keys'] = {
  title: 'Клавиши',
  help: 'Показать клавиши',
  jump: 'Перейти или найти',
}
