import { Binary } from 'bson'

/** Messages with every trap, in no order of time. */
export function rocketChatMessages(at: (second: number) => Date): (object | Buffer)[] {
  const message = (_id: string, second: number, msg: string, more: object = {}) => ({
    _id,
    rid: 'general',
    msg,
    ts: at(second),
    u: { _id: 'anna', username: 'anna.b', name: 'Anna Berg' },
    ...more,
  })
  const by = (_id: string, username = _id) => ({ u: { _id, username } })
  const link = (id: string) => `https://chat.example.org/channel/general?msg=${id}`
  return [
    ...conversation(message, by),
    ...formats(message, link),
    ...elsewhere(message, by),
    // A document that is whole by its length and holds no field that can be.
    Buffer.from([12, 0, 0, 0, 99, 97, 98, 99, 0, 1, 2, 0]),
    { _id: 'untimed', rid: 'general', msg: 'no time', u: { _id: 'anna' } },
    message('strange', 900, 'unknown kind with a text', { t: 'toString' }),
    message('silent', 901, '', { t: 'constructor' }),
    message('binary', 902, 'zero \0 character', { customFields: new Binary(Buffer.from('x')) }),
    message('x'.repeat(3000), 903, 'an id that is too long'),
  ]
}

type Make = (id: string, second: number, msg: string, more?: object) => object

function conversation(message: Make, by: (id: string, name?: string) => object): object[] {
  return [
    // A reply comes before its root in the dump.
    message('reply', 20, 'late reply', { ...by('boris'), tmid: 'root' }),
    message('root', 10, 'the *root* for @boris, @carl and @all in #news', {
      mentions: [
        { _id: 'boris', username: 'boris', type: 'user' },
        { _id: 'all', username: 'all' },
      ],
      channels: [{ _id: 'news', name: 'news' }],
      tcount: 2,
      editedAt: new Date(1_600_000_011_000),
      reactions: {
        ':wave:': {
          usernames: ['boris', 'dora.old', 'twin.old', 'gone'],
          names: ['boris', 'Dora Renamed', 'Same Name'],
        },
        ':party_parrot:': { usernames: ['boris'] },
      },
      pinned: true,
      pinnedAt: new Date(1_600_000_012_000),
      pinnedBy: { _id: 'boris' },
      starred: [{ _id: 'anna' }],
    }),
    message('former', 10, 'the root as it was first', { _hidden: true, parent: 'root' }),
    message('shown', 21, 'shown in the room too', { tmid: 'root', tshow: true }),
    message('orphan', 22, 'its root is gone', { tmid: 'gone' }),
    message('removed', 30, '', { t: 'rm', tcount: 1 }),
    message('below', 31, 'under what was deleted', { ...by('carl'), tmid: 'removed' }),
    message('deleted', 32, '', { t: 'rm' }),
    message('joined', 33, 'boris', { ...by('boris'), t: 'uj' }),
    message('renamed', 34, 'General ✓', { t: 'r' }),
    message('pinning', 35, '', { t: 'message_pinned' }),
    message('cipher', 36, 'Y2lwaGVydGV4dA', { t: 'e2e', content: { algorithm: 'rc.v1.aes-sha2' } }),
    message('start1', 40, 'Lunch plans', { t: 'discussion-created', drid: 'talk1' }),
    message('in1', 41, 'pizza', { ...by('gus'), rid: 'talk1' }),
    message('in1b', 42, 'soup', { rid: 'talk1', tmid: 'in1' }),
    message('start4', 43, 'Deeper', { t: 'discussion-created', drid: 'talk4', rid: 'talk1' }),
    message('in4', 44, 'deeper still', { rid: 'talk4' }),
    // The writer was removed and is known by this alone.
    message('ghost', 50, 'I was here', { u: { _id: 'removed1', username: 'old.name', name: 'Gone Girl' } }),
    message('hook', 51, 'build failed', {
      alias: 'CI',
      avatar: 'https://ci.example.org/x.png?token=planted-secret',
    }),
    message('cat', 52, 'meow', { ...by('rocket.cat'), alias: 'Cat of the day' }),
  ]
}

function formats(message: Make, link: (id: string) => string): object[] {
  const text = (value: string) => ({ type: 'PLAIN_TEXT', value })
  return [
    message(
      'old',
      60,
      '**two** __under__ ~~gone~~ ~one~ `*code*` <https://a.org/|label> snake_case :smile: [x](https://b.org)\n```js\nlet a = 1\n```\n> quoted\n# Head',
    ),
    message('tree', 61, 'shorter', {
      md: [
        {
          type: 'PARAGRAPH',
          value: [
            text('tree '),
            { type: 'BOLD', value: [text('2*3*4')] },
            { type: 'EMOJI', shortCode: 'wave' },
          ],
        },
        { type: 'ORDERED_LIST', value: [{ type: 'LIST_ITEM', number: 7, value: [text('seven')] }] },
        { type: 'CODE', language: 'none', value: [{ type: 'CODE_LINE', value: text('a = 1') }] },
        { type: 'constructor', value: [text('of later versions')] },
      ],
    }),
    message('teamed', 61, 'hey @Squad', { mentions: [{ _id: 'team1', username: 'Squad', type: 'team' }] }),
    message('answer', 62, `[ ](${link('root')}) indeed`, {
      attachments: [{ message_link: link('root'), author_name: 'anna.b', text: 'the root' }],
    }),
    message('quoting', 63, `[ ](${link('nowhere')}) as said`, {
      attachments: [{ message_link: link('nowhere'), author_name: 'carl', text: 'long ago' }],
    }),
    message('forward', 64, '', {
      attachments: [
        {
          message_link: link('root'),
          author_name: 'boris',
          text: '',
          attachments: [{ message_link: link('x'), author_name: 'carl', text: 'inmost' }],
        },
      ],
    }),
    message('attached', 65, '', {
      attachments: [{ title: 'Log', title_link: 'https://ci.example.org/7', text: '_fine_' }],
    }),
    message('files', 70, '', {
      files: [
        { _id: 'grid' },
        { _id: 'thumb', typeGroup: 'thumb' },
        { _id: 'torn' },
        { _id: 'zero' },
        { _id: 'missing', name: 'lost.png' },
      ],
      attachments: [
        { type: 'file', title: 'öl.txt', title_link: '/file-upload/grid/x', description: 'the caption' },
      ],
    }),
    message('file', 71, '', { file: { _id: 'disk' } }),
    message('cloudy', 72, 'in the cloud', {
      files: [
        { _id: 'cloud', name: 'cloud.txt' },
        { _id: 'half', name: 'half.txt' },
      ],
    }),
    message('long', 80, 'x'.repeat(50_000)),
  ]
}

function elsewhere(message: Make, by: (id: string, name?: string) => object): object[] {
  return [
    message('n1', 10, 'read this', { rid: 'news' }),
    // A thread never leaves its room, whatever a document says.
    message('c1', 15, 'not for all', { ...by('boris'), rid: 'closed', tmid: 'root' }),
    message('c2', 16, 'only us', { ...by('boris'), rid: 'closed' }),
    message('start2', 17, 'With a guest', { rid: 'closed', t: 'discussion-created', drid: 'talk2' }),
    message('in2', 18, 'for the three of us', { ...by('gus'), rid: 'talk2' }),
    message('in3', 19, 'alone', { rid: 'talk3' }),
    message('s1', 10, 'squad only', { rid: 'squad' }),
    message('d2', 12, 'second', { ...by('boris2', 'boris.old'), rid: 'annaboris2' }),
    message('d1', 11, 'first', { rid: 'annaboris' }),
    message('d3', 13, 'third', { ...by('boris'), rid: 'annaboris' }),
    message('self', 10, 'note', { rid: 'annaanna' }),
    message('g1', 10, 'three of us', { rid: 'three' }),
    message('gh1', 10, 'to somebody gone', { rid: 'ghostroom' }),
    message('l1', 10, 'a customer', { rid: 'help' }),
    message('w1', 10, 'no such room', { rid: 'nowhere' }),
  ]
}
