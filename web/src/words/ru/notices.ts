import type { Words } from '../index.js'
import { plural } from './plural.js'

export const notices: Words['notices'] = {
  title: 'Уведомления',
  none: 'Уведомлений нет',
  noneText: 'Здесь появятся задачи, по которым подошёл срок, готовые выгрузки и приостановленные боты.',
  older: 'Показать более ранние',
  new: 'новое',
  other: 'Уведомление',
  unread: (count) => plural(count, { one: '# новое', other: '# новых' }),
  kinds: {
    'task.due': 'Подошёл срок задачи',
    'export.ready': 'Выгрузка готова',
    'export.failed': 'Выгрузка не удалась',
    'scheduled_message.skipped': 'Отложенное сообщение не отправлено',
    'token.approval': 'Программа просит одобрения',
    webhook_paused: 'Вебхук приостановлен',
    webhook_disabled: 'Вебхук отключён',
  },
}
