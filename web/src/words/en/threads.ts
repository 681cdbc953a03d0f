export const threads = {
  thread: 'Thread',
  replies: 'Replies',
  reply: 'Reply',
  follow: 'Follow this thread',
  close: 'Close the thread',
}
