export const unread = {
  title: 'Unread',
  chats: 'Chats',
  mentions: 'Mentions',
  readAll: 'Mark all as read',
  read: (chat: string) => `Mark ${chat} as read`,
  none: 'You are all caught up',
  noneHint: 'Chats with new messages appear here.',
  noMentions: 'No one has mentioned you yet',
  noMentionsHint: 'Messages that mention you, your tags or @all appear here.',
}
