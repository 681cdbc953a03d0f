import { plural } from './plural.js'

export const notices = {
  title: 'Notifications',
  none: 'No notifications',
  noneText: 'Due tasks, finished exports and paused bots appear here.',
  older: 'Show older',
  new: 'new',
  other: 'Notification',
  unread: (count: number) => plural(count, { one: '# new', other: '# new' }),
  kinds: {
    'task.due': 'A task is due',
    'export.ready': 'An export is ready',
    'export.failed': 'An export failed',
    'scheduled_message.skipped': 'A scheduled message was not sent',
    'token.approval': 'A program asks for your approval',
    webhook_paused: 'A webhook was paused',
    webhook_disabled: 'A webhook was disabled',
  },
}
