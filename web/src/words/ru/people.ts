import type { Words } from '../index.js'

export const people: Words['people'] = {
  title: 'Люди',
  field: 'Найти по имени или никнейму',
  none: 'Никого с таким именем нет.',
  write: 'Написать',
  begin: 'Вы ещё не писали друг другу. Первое сообщение начнёт чат.',
  gone: 'Этому человеку больше нельзя написать.',
  itIsYou: 'Это вы',
  itIsYouText: 'Так вас видят другие.',
  localTime: (time) => `${time} по местному времени`,
  until: (when) => `до ${when}`,
}
