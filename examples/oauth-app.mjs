// A web application that people sign in to with the workspace: authorization code with PKCE, then calls on their behalf.
// BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=… PORT=3000 node examples/oauth-app.mjs, then open http://localhost:3000
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { connect } from '@parley/sdk'

const { BASE_URL, OWNER_TOKEN, PORT = '3000' } = process.env
const redirect_uri = `http://localhost:${PORT}/back`
const owner = connect({ base_url: BASE_URL, token: OWNER_TOKEN })
const anybody = connect({ base_url: BASE_URL })

// Once, by whoever runs the application; afterwards client_id and client_secret are settings like any other.
const { oauth_client, client_secret } = await owner.bots.create({
  webhook: { name: 'Profile viewer' },
  oauth_client: { confidential: true, redirect_uris: [redirect_uri], scopes: ['profile:read'] },
})
const { client_id } = oauth_client
const { authorization_endpoint } = await anybody.oauth.getServerMetadata()

/** Sign-ins under way, by state: nobody else can finish them, and each only once. */
const started = new Map()

function begin() {
  const state = randomBytes(16).toString('base64url')
  const code_verifier = randomBytes(32).toString('base64url')
  started.set(state, code_verifier)
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const query = { response_type: 'code', client_id, redirect_uri, state, code_challenge }
  return `${authorization_endpoint}?${new URLSearchParams({ ...query, code_challenge_method: 'S256' })}`
}

async function finish(query) {
  const code_verifier = started.get(query.get('state'))
  started.delete(query.get('state'))
  if (!code_verifier || !query.has('code')) return 'Not signed in.'
  const { access_token, refresh_token } = await anybody.oauth.exchangeToken({
    grant_type: 'authorization_code',
    code: query.get('code'),
    client_id,
    client_secret,
    redirect_uri,
    code_verifier,
  })
  const person = connect({ base_url: BASE_URL, token: access_token })
  const { first_name } = await person.profile.get()
  // The access token lives an hour; this one gets the next, and works once.
  return `Hello ${first_name}! ${refresh_token ? 'You stay signed in.' : ''}`
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, redirect_uri)
  if (pathname === '/back') return response.end(await finish(searchParams).catch(({ message }) => message))
  response.writeHead(302, { Location: begin() }).end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening at http://localhost:${PORT}`))
