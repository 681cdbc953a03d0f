// What there is before anybody does anything; gives the calls of the directory.

export async function furnish({ call, known, cast }, { base_url }) {
  const [owner] = cast.people
  const make = async (path, body, actor = owner) => (await call(actor, 'POST', path, body)).data
  for (const name of ['Blue', 'Green', 'Red']) {
    const { id } = await make('/group_tags', { group_tag: { name } })
    known.add('tag', id)
    known.add('tag name', name)
  }
  for (const name of ['First', 'Second', 'Third']) {
    const chat = { name, member_ids: known.all('user'), public: true }
    known.add('chat', (await make('/chats', { chat })).id)
  }
  const { token } = await make('/company/scim_tokens', { name: 'Directory' }, owner.session)
  await call(owner.session, 'PUT', '/company/retention', { days: { channel: 1, thread: 1, personal: 1 } })
  const root = base_url.replace(/\/v1$/, '/scim/v2')
  return (method, path, body) => call({ token }, method, `${root}${path}`, body)
}
