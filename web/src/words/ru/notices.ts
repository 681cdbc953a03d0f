import type { Words } from '../index.js'
import { noticeKinds } from './notice-kinds.js'
import { plural } from './plural.js'

export const notices: Words['notices'] = {
  title: 'Уведомления',
  none: 'Уведомлений нет',
  noneText: 'Здесь появятся задачи, по которым подошёл срок, готовые выгрузки и приостановленные боты.',
  older: 'Показать более ранние',
  new: 'новое',
  other: 'Уведомление',
  unread: (count) => plural(count, { one: '# новое', other: '# новых' }),
  kinds: noticeKinds,
}
