// What must be true of the tables once nothing is left to do. Each statement finds what breaks a law.

const ACTIVE = 'not u.suspended and u.deleted_at is null'

/** Written since the read pointer, counted one by one. */
const UNREAD = `(select count(*) from messages m where m.chat_id = c.id and m.deleted_at is null and m.number > me.read_number)`

const COUNTED = `case when c.messages_count <= greatest(me.read_number, c.removed_count) then 0
  else c.messages_count - greatest(me.read_number, c.removed_count) - (
    select count(*) from messages gone where gone.chat_id = c.id and gone.id > me.read_message_id
      and gone.deleted_at is not null and gone.number > greatest(me.read_number, c.removed_count)) end`

export const LAWS = {
  'a chat counts fewer messages than it numbered': `
    select c.id, c.messages_count, (select max(number) from messages m where m.chat_id = c.id) as numbered from chats c
    where c.messages_count < (select max(number) from messages m where m.chat_id = c.id)
      or c.removed_count = 0 and c.messages_count > coalesce((select max(number) from messages m where m.chat_id = c.id), 0)`,
  'messages of a chat have numbers in another order than ids': `
    select * from (select id, chat_id, number, lag(number) over (partition by chat_id order by id) as before
      from messages where number is not null) x where number <= before`,
  'a chat points at a message that is not its last': `
    select c.id, c.last_message_id from chats c where c.last_message_id is distinct from
      (select max(id) from messages m where m.chat_id = c.id and not m.system)
    and c.last_message_id is distinct from
      (select max(id) from messages m where m.chat_id = c.id and not m.system and m.deleted_at is null)`,
  'members are counted wrong': `
    select r.chat_id, r.members_count, active.count from chat_rosters r cross join lateral (
      select count(*)::int from chat_members m join users u on u.id = m.user_id and ${ACTIVE} where m.chat_id = r.chat_id) active
    where r.members_count <> active.count`,
  'a chat with members has no count of them': `
    select distinct chat_id from chat_members m where not exists (select from chat_rosters r where r.chat_id = m.chat_id)`,
  'unread messages are counted wrong': `
    select c.id, me.user_id, ${COUNTED} as counted, ${UNREAD} as unread, me.read_number, me.read_message_id
    from chats c join chat_members me on me.chat_id = c.id where ${COUNTED} <> ${UNREAD}`,
  'somebody has read further than the chat goes': `
    select c.id, me.user_id, me.read_message_id, me.read_number from chat_members me join chats c on c.id = me.chat_id
    where me.read_number > c.messages_count`,
  'two read pointers of a member differ': `
    select me.chat_id, me.user_id, me.read_message_id, me.read_number from chat_members me
    where exists (select from messages m where m.chat_id = me.chat_id and m.number is not null and m.deleted_at is null
      and (m.id <= me.read_message_id) <> (m.number <= me.read_number))`,
  'a deleted message has reactions': `
    select r.id from reactions r join messages m on m.id = r.message_id where m.deleted_at is not null`,
  'a deleted message is pinned': `
    select p.message_id from pins p join messages m on m.id = p.message_id where m.deleted_at is not null`,
  'a deleted message names people': `
    select n.message_id from mentions n join messages m on m.id = n.message_id where m.deleted_at is not null`,
  'a deleted message has a preview': `
    select l.message_id from link_previews l join messages m on m.id = l.message_id where m.deleted_at is not null`,
  'a deleted message has files': `
    select f.id from files f join messages m on m.id = f.message_id where m.deleted_at is not null`,
  'people of a tag are counted wrong': `
    select t.id, t.users_count from group_tags t where t.users_count <>
      (select count(*) from user_tags ut join users u on u.id = ut.user_id and not u.bot and ${ACTIVE} where ut.tag_id = t.id)`,
  'a tag holds a member whom it does not bring': `
    select m.chat_id, m.user_id, held.tag from chat_members m cross join unnest(m.tag_ids) as held (tag)
    where not exists (select from chat_tags ct where ct.chat_id = m.chat_id and ct.tag_id = held.tag)
      or not exists (select from user_tags ut where ut.user_id = m.user_id and ut.tag_id = held.tag)`,
  'a member is held by nothing': `
    select m.chat_id, m.user_id from chat_members m where not m.manual and m.tag_ids = '{}'`,
  'a deleted person is in a chat': `
    select m.chat_id, m.user_id from chat_members m join users u on u.id = m.user_id where u.deleted_at is not null and m.place <> 'personal'`,
  'a membership lies in the wrong list': `
    select m.chat_id, m.user_id, m.place from chat_members m join chats c on c.id = m.chat_id
    where m.place <> case when c.kind in ('personal', 'thread') then c.kind when c.archived_at is null then 'group' else 'archive' end`,
  'a membership takes a bot for a person': `
    select m.chat_id, m.user_id from chat_members m join users u on u.id = m.user_id where m.bot <> u.bot`,
  'a deleted person performs a task': `
    select p.task_id, p.user_id from task_performers p join users u on u.id = p.user_id where u.deleted_at is not null`,
  'a task has no performer': `
    select t.id from tasks t where not exists (select from task_performers p where p.task_id = t.id)`,
  'a deleted person has a token': `
    select t.id from tokens t join users u on u.id = t.user_id where u.deleted_at is not null`,
  'a deleted person has tags': `
    select t.tag_id, t.user_id from user_tags t join users u on u.id = t.user_id where u.deleted_at is not null`,
  'an event has no position': 'select id, type from events where position is null',
  'two events have one position': 'select position from events group by position having count(*) > 1',
  'an event was set aside': 'select id, type, reason from set_aside_events',
  'the relay stumbled over an event': 'select * from relay_suspects',
  'a job was given up': 'select id, kind, last_error from jobs where failed_at is not null',
  'a job has failed': `
    select id, kind, left(last_error, 300) as error from jobs where last_error is not null and last_error !~* 'terminat|connection'`,
  'a message has not its one event': `
    select m.id, count(e.id) from messages m
    left join events e on e.type = 'message.created' and (e.payload ->> 'message_id')::bigint = m.id
    where not m.system group by m.id having count(e.id) <> 1 and m.deleted_at is null or count(e.id) > 1`,
  'messages of a chat were told in another order': `
    select * from (select chat_id, (payload ->> 'message_id')::bigint as id,
      lag((payload ->> 'message_id')::bigint) over (partition by chat_id order by position) as before
      from events where type = 'message.created') x where id < before`,
  'a quota counts fewer messages than it numbered': `
    select q.user_id, q.chat_id, q.sent from message_quotas q where q.sent < (select max(m.quota_number)
      from messages m where m.user_id = q.user_id and m.root_chat_id = q.chat_id and m.quota_number is not null)`,
  'two messages have one number of a quota': `
    select user_id from messages where quota_number is not null
    group by user_id, root_chat_id, quota_number having count(*) > 1`,
  'a thread belongs to another chat than its message': `
    select t.id from threads t join messages m on m.id = t.message_id where t.message_chat_id <> m.chat_id`,
  'a draft was due long ago': `select id, due_at from drafts where due_at < $1::timestamptz - interval '1 minute'`,
  'somebody owns a chat and is not in it as its owner': `
    select c.id, c.owner_id, m.role from chats c join chat_members m on m.chat_id = c.id and m.user_id = c.owner_id
    where m.role <> 'owner' and c.kind in ('conversation', 'channel')`,
  'a chat has another owner than its owner': `
    select m.chat_id, m.user_id from chat_members m join chats c on c.id = m.chat_id where m.role = 'owner' and m.user_id <> c.owner_id`,
}

export async function checkLaws(pool, now) {
  const faults = []
  for (const [words, text] of Object.entries(LAWS)) {
    const values = text.includes('$1') ? [now] : []
    const { rows } = await pool.query(`${text} limit 4`, values)
    if (rows.length > 0) faults.push(`${words}: ${JSON.stringify(rows)}`)
  }
  return faults
}
