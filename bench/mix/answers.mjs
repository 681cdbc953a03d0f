// Whether answers agree with each other and with the tables, for each of those who act.

async function pages(call, actor, path, most = 20) {
  const all = []
  for (let cursor = ''; most > 0; most -= 1) {
    const sign = path.includes('?') ? '&' : '?'
    const { data, meta, ok } = await call(actor, 'GET', `${path}${sign}limit=50${cursor}`)
    if (!ok) return undefined
    all.push(...data)
    if (!meta.paginate.has_next) return all
    cursor = `&cursor=${encodeURIComponent(meta.paginate.next_page)}`
  }
  return all
}

const differs = (one, other) => JSON.stringify(one) !== JSON.stringify(other)
const idsOf = (list) => list.map(({ id }) => id)

async function checkChats({ call, pool, fault }, actor) {
  const listed = await pages(call, actor, '/chats?sort=id&order=asc')
  if (!listed) return
  for (const chat of listed.slice(-15)) {
    const { data } = await call(actor, 'GET', `/chats/${chat.id}`)
    if (differs(chat, data))
      fault(`chat ${chat.id} of ${actor.id}: ${JSON.stringify(chat)} and ${JSON.stringify(data)}`)
    await checkMessages({ call, pool, fault }, actor, chat.id)
  }
  const { rows } = await pool.query(
    `select c.id::int from chats c left join chat_members m on m.chat_id = c.id and m.user_id = $1
     where c.kind in ('conversation', 'channel') and c.archived_at is null and m.user_id is not null and c.id <> all($2)`,
    [actor.id, idsOf(listed)],
  )
  if (rows.length > 0) fault(`the list of ${actor.id} lacks ${JSON.stringify(rows.slice(0, 3))}`)
}

async function checkMessages({ call, pool, fault }, actor, chatId) {
  const listed = await pages(call, actor, `/messages?chat_id=${chatId}`)
  const { rows } = await pool.query(
    'select id::int from messages where chat_id = $1 and deleted_at is null order by id desc',
    [chatId],
  )
  if (differs(idsOf(listed ?? []), idsOf(rows)))
    fault(`messages of chat ${chatId} for ${actor.id}: ${idsOf(listed ?? [])} and ${idsOf(rows)}`)
  for (const message of (listed ?? []).slice(0, 3)) {
    const { data } = await call(actor, 'GET', `/messages/${message.id}`)
    const { link_previews: _a, ...one } = message
    const { link_previews: _b, ...other } = data ?? {}
    if (differs(one, other))
      fault(`message ${message.id}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`)
  }
}

async function checkCards({ call, pool, fault }, actor) {
  const cards = await pages(call, actor.session, '/start/chats')
  if (!cards) return
  const { rows } = await pool.query(
    `select c.id::int, (select count(*)::int from messages m where m.chat_id = c.id and m.deleted_at is null and m.number > me.read_number) as unread,
       (select count(distinct n.message_id)::int from mentions n join messages m on m.id = n.message_id
        where n.chat_id = c.id and m.deleted_at is null and n.message_id > me.read_message_id and (n.user_id = $1
          or n.user_id is null and (n.tag_id is null or exists (select from user_tags ut where ut.user_id = $1 and ut.tag_id = n.tag_id)))) as mentions
     from chats c join chat_members me on me.chat_id = c.id and me.user_id = $1
     where c.kind <> 'thread' and c.archived_at is null`,
    [actor.id],
  )
  const wanted = new Map(rows.map((row) => [row.id, row]))
  for (const card of cards) {
    const { data } = await call(actor.session, 'GET', `/chats/${card.id}/card`)
    if (data && differs(card, data)) {
      const names = Object.keys(card).filter((name) => differs(card[name], data[name]))
      fault(
        `card ${card.id} of ${actor.id} differs in ${names}: ${JSON.stringify(names.map((n) => [card[n], data[n]]))}`,
      )
    }
    const want = wanted.get(card.id)
    if (!want) fault(`${actor.id} has a card of chat ${card.id}`)
    else if (card.unread_count !== want.unread || card.mention_count !== want.mentions)
      fault(
        `card ${card.id} of ${actor.id} counts ${card.unread_count} and ${card.mention_count} for ${want.unread} and ${want.mentions}`,
      )
  }
  const missing = rows.filter(({ id }) => !cards.some((card) => card.id === id))
  if (missing.length > 0) fault(`cards of ${actor.id} lack ${JSON.stringify(missing.slice(0, 4))}`)
}

/** Each message holds a word of its own. */
async function checkSearch({ call, pool, fault }, actor, count) {
  const { rows } = await pool.query(
    `select m.id::int, m.content, m.deleted_at is null as live, c.kind, coalesce(p.public, c.public) as public, c.archived_at,
       exists (select from chat_members x where x.chat_id = c.id and x.user_id = $1) as member,
       exists (select from chat_members x where x.chat_id = p.id and x.user_id = $1) as in_parent
     from messages m join chats c on c.id = m.chat_id left join threads t on t.chat_id = c.id left join chats p on p.id = t.message_chat_id
     where not m.system and m.content <> '' and m.id > (select max(id) - 400 from messages) order by random() limit $2`,
    [actor.id, count],
  )
  for (const { id, content, live, ...where } of rows) {
    const query = /^(?:planned )?(w[0-9a-z]+)/.exec(content)?.[1]
    if (!query) continue
    const { data, ok } = await call(actor, 'GET', `/search/messages?query=${query}`)
    if (!ok) return
    const found = data.some((one) => one.id === id)
    const read = await call(actor, 'GET', `/messages/${id}`)
    if (found && !read.ok) fault(`${actor.id} finds message ${id} and may not read it: ${read.status}`)
    if (!found && live && where.member)
      fault(`${actor.id} does not find message ${id}: ${query} ${JSON.stringify(where)}`)
  }
}

export async function checkAnswers(stage, people) {
  const faults = []
  const about = { ...stage, fault: (text) => faults.push(text) }
  for (const actor of people) {
    const { ok } = await stage.call(actor, 'GET', '/profile')
    if (!ok) continue
    await checkChats(about, actor)
    await checkCards(about, actor)
    await checkSearch(about, actor, 8)
  }
  return faults.slice(0, 12)
}
