import type { Words } from '../index.js'

export const status: Words['status'] = {
  title: 'Ваш статус',
  set: 'Установить статус',
  text: 'Чем вы заняты?',
  chooseEmoji: 'Выбрать эмодзи',
  presets: 'Частые статусы',
  names: {
    meeting: 'На встрече',
    lunch: 'На обеде',
    focus: 'Не отвлекать',
    remote: 'Работаю из дома',
    ill: 'Болею',
    holiday: 'В отпуске',
  },
  length: 'Убрать',
  lengths: {
    never: 'Не убирать',
    half_hour: 'Через 30 минут',
    hour: 'Через час',
    four_hours: 'Через 4 часа',
    today: 'В конце дня',
    week: 'Через неделю',
  },
  until: (when) => `Как задано: ${when}`,
  away: 'Меня нет на месте',
  awayHint: 'Другие увидят, что вы ответите не скоро.',
  clear: 'Убрать статус',
}
