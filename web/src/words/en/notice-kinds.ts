/** What notices are about: on their screen, and in the service worker. */
export const noticeKinds = {
  'task.due': 'A task is due',
  'export.ready': 'An export is ready',
  'export.failed': 'An export failed',
  'scheduled_message.skipped': 'A scheduled message was not sent',
  'token.approval': 'A program asks for your approval',
  webhook_paused: 'A webhook was paused',
  webhook_disabled: 'A webhook was disabled',
}
