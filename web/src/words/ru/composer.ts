import type { Words } from '../index.js'

export const composer: Words['composer'] = {
  tools: 'Форматирование',
  attach: 'Прикрепить файл',
  dropHere: 'Отпустите файлы, чтобы прикрепить',
  detach: (name) => `Убрать ${name}`,
  uploading: (name) => `Загрузка ${name}`,
  uploadFailed: 'не загружен',
  quotaFull: 'ваша квота загрузок исчерпана',
  tooLarge: (size) => `больше ${size}`,
  filesAtMost: (count) =>
    `В сообщении не больше ${count} файлов. Остальные не прикреплены: отправьте их следующим.`,
  noFilesWhileEditing:
    'К отправленному сообщению файл не добавить. Закончите правку и отправьте его новым сообщением.',
  emoji: 'Эмодзи',
  mention: 'Упомянуть',
  commands: 'Команды ботов',
  marks: {
    bold: 'Жирный',
    italic: 'Курсив',
    strike: 'Зачёркнутый',
    link: 'Ссылка',
    code: 'Код',
    list: 'Список',
  },
  send: 'Отправить',
  editing: 'Редактирование',
  typing: (names, count) => (count === 1 ? `${names} пишет` : `${names} пишут`),
}
