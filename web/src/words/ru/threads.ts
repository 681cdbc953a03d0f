import type { Words } from '../index.js'
import { plural } from './plural.js'

export const threads: Words['threads'] = {
  thread: 'Тред',
  replies: 'Ответы',
  noReplies: 'Ответов пока нет',
  reply: 'Ответить',
  earlier: (count) =>
    plural(count, { one: 'Ещё # ответ выше', few: 'Ещё # ответа выше', other: 'Ещё # ответов выше' }),
  follow: 'Следить за тредом',
  unfollow: 'Не следить',
  inbox: 'Треды',
  open: 'Открыть тред',
  none: 'Вы пока не следите за тредами',
  noneHint: 'Ответьте в треде или начните следить за ним, и он появится здесь.',
  close: 'Закрыть тред',
  missing: 'Такого треда нет',
}
