export const threads = {
  thread: 'Thread',
  replies: 'Replies',
  reply: 'Reply',
  follow: 'Follow this thread',
  unfollow: 'Stop following',
  inbox: 'Threads',
  open: 'Open the thread',
  none: 'You follow no threads yet',
  noneHint: 'Reply in a thread or follow one, and it will stand here.',
  close: 'Close the thread',
}
