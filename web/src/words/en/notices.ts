import { noticeKinds } from './notice-kinds.js'
import { plural } from './plural.js'

export const notices = {
  title: 'Notifications',
  none: 'No notifications',
  noneText: 'Due tasks, finished exports and paused bots appear here.',
  older: 'Show older',
  new: 'new',
  other: 'Notification',
  unread: (count: number) => plural(count, { one: '# new', other: '# new' }),
  kinds: noticeKinds,
}
