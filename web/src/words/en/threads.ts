import { plural } from './plural.js'

export const threads = {
  thread: 'Thread',
  replies: 'Replies',
  noReplies: 'No replies yet',
  reply: 'Reply',
  earlier: (count: number) => plural(count, { one: '# earlier reply', other: '# earlier replies' }),
  follow: 'Follow this thread',
  unfollow: 'Stop following',
  inbox: 'Threads',
  open: 'Open the thread',
  none: 'You are not following any threads yet',
  noneHint: 'Reply in a thread or follow one to see it here.',
  close: 'Close the thread',
  missing: 'This thread does not exist',
}
