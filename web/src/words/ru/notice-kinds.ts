import type { noticeKinds as en } from '../en/notice-kinds.js'

export const noticeKinds: typeof en = {
  'task.due': 'Подошёл срок задачи',
  'export.ready': 'Выгрузка готова',
  'export.failed': 'Выгрузка не удалась',
  'scheduled_message.skipped': 'Отложенное сообщение не отправлено',
  'token.approval': 'Программа просит одобрения',
  webhook_paused: 'Вебхук приостановлен',
  webhook_disabled: 'Вебхук отключён',
}
