export const unread = {
  title: 'Unread',
  chats: 'Chats',
  mentions: 'Mentions',
  readAll: 'Mark all as read',
  read: (chat: string) => `Mark ${chat} as read`,
  none: 'You have read everything',
  noneHint: 'Chats with new messages will stand here.',
  noMentions: 'Nobody has named you yet',
  noMentionsHint: 'Messages with your name, your tags or @all will stand here.',
}
