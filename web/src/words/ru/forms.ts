import type { Words } from '../index.js'
import { plural } from './plural.js'

export const forms: Words['forms'] = {
  from: (bot) => `Форма бота ${bot}`,
  botDoesNotHear: 'Бот не реагирует на кнопки.',
  buttonGone: 'Этой кнопки больше нет.',
  choose: 'Выберите…',
  optional: (label) => `${label} (необязательно)`,
  addFile: 'Выбрать файл',
  filesAtMost: (count) =>
    plural(count, { one: 'Не больше # файла', few: 'Не больше # файлов', other: 'Не больше # файлов' }),
  fileTypes: (types) => `Допустимые типы: ${types}`,
  stillUploading: 'Файл ещё загружается.',
  noAnswer: 'Бот не ответил. Всё, что вы заполнили, на месте: можно отправить ещё раз.',
  expired: 'Форма устарела. Попросите у бота новую.',
  gone: 'Форма закрыта в другом месте.',
  discardTitle: 'Закрыть без отправки?',
  discardText: 'Всё, что вы заполнили, пропадёт.',
  discard: 'Закрыть форму',
  faults: {
    blank: 'Заполните это поле.',
    invalid: 'Такой ответ не подходит.',
    min_length: (count) =>
      plural(count, {
        one: 'Нужен хотя бы # символ.',
        few: 'Нужно хотя бы # символа.',
        other: 'Нужно хотя бы # символов.',
      }),
    max_length: (count) =>
      plural(count, {
        one: 'Не больше # символа.',
        few: 'Не больше # символов.',
        other: 'Не больше # символов.',
      }),
    too_long: 'Слишком длинно.',
    not_found: 'Файл не найден. Выберите его снова.',
    file_type: 'Файлы такого типа не подходят.',
  },
}
