import type { Words } from '../index.js'

export const sections: Words['sections'] = {
  section: 'Раздел списка',
  none: 'По виду',
  add: 'Новый раздел',
  rename: 'Переименовать раздел',
  name: 'Название раздела',
  up: 'Переместить выше',
  down: 'Переместить ниже',
  first: 'Он уже первый.',
  last: 'Он уже последний.',
  remove: 'Удалить раздел',
  empty: 'Перетащите сюда чаты или переместите их через меню.',
  menu: (name) => `Действия с разделом ${name}`,
  moveTo: (name) => `Переместить в «${name}»`,
  takeOut: 'Убрать из раздела',
  addWith: 'Переместить в новый раздел',
}
