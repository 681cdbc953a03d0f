import type { Words } from '../index.js'

export const threads: Words['threads'] = {
  thread: 'Тред',
  replies: 'Ответы',
  reply: 'Ответить',
  follow: 'Следить за тредом',
  close: 'Закрыть тред',
}
