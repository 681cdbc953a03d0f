import type { Ask } from './ask.js'
import { type Html, html, type Page } from './html.js'

interface Signed {
  form_token: string
  workspace: string
  email: string
}

function formOf(token: string, step: string, inner: Html): Html {
  return html`<form method="post">
<input type="hidden" name="form_token" value="${token}"><input type="hidden" name="step" value="${step}">
${inner}
</form>`
}

function signedInAs({ form_token, workspace, email }: Signed): Html {
  const change = formOf(form_token, 'sign-out', html`<button>Use another account</button>`)
  return html`<p class="small">${workspace}, signed in as ${email}</p>${change}`
}

interface SignInPlace {
  form_token: string
  workspace: string
  app_url: string
  here: string
  /** Whether there are identity providers, which the client knows. */
  elsewhere: boolean
}

export function signInScreen(place: SignInPlace, fault?: string): Page {
  const { form_token, workspace } = place
  const inner = html`
<label>Mail <input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button>`
  const note = fault ? html`<p class="fault" role="alert">${fault}</p>` : undefined
  const other = place.elsewhere
    ? html`<p><a href="${clientAddress(place.app_url, place.here)}">Other ways to sign in</a></p>`
    : undefined
  const body = html`${note}${formOf(form_token, 'sign-in', inner)}${other}`
  return { status: fault ? 401 : 200, title: `Sign in to ${workspace}`, body }
}

/** The client leads back here after the sign-in. */
function clientAddress(app_url: string, here: string): string {
  return `${app_url.replace(/\/$/, '')}/sign-in?${new URLSearchParams([['then', here]])}`
}

/** These pages know passwords alone; the client asks for the second factor. */
export function elsewhereScreen(app_url: string, here: string): Page {
  const body = html`<p>Your account has a second factor. Sign in to Parley first; you come back here after that.</p>
<p><a href="${clientAddress(app_url, here)}">Sign in</a></p>`
  return { status: 401, title: 'A second factor is needed', body }
}

/** The client knows the identity providers too. */
export function noPasswordsScreen(app_url: string, here: string, workspace: string): Page {
  const body = html`<p>Sign in to Parley first; you come back here after that.</p>
<p><a href="${clientAddress(app_url, here)}">Sign in</a></p>`
  return { status: 401, title: `Sign in to ${workspace}`, body }
}

export function consentScreen(ask: Ask, who: Signed): Page {
  const scopes = ask.client.scopes.map((scope) => html`<li><code>${scope}</code></li>`)
  const buttons = html`<button class="main" name="answer" value="allow">Allow</button>
<button name="answer" value="cancel">Cancel</button>`
  const body = html`
<p><strong>${ask.client.bot_name}</strong> asks to act for you in <strong>${who.workspace}</strong>.</p>
<p>It will be able to use, as far as your role allows:</p>
<ul>${scopes}</ul>
${formOf(who.form_token, 'consent', buttons)}
${signedInAs(who)}`
  return { title: `Allow ${ask.client.bot_name}?`, body, leadsTo: ask.redirect_uri }
}

export function codeScreen(who: Signed, fault?: string): Page {
  const inner = html`
<label>Code <input name="user_code" placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" required autofocus></label>
<button class="main">Continue</button>`
  const note = fault ? html`<p class="fault" role="alert">${fault}</p>` : undefined
  const body = html`<p>Type the code that the other device shows.</p>${note}
${formOf(who.form_token, 'code', inner)}${signedInAs(who)}`
  return { status: fault ? 400 : 200, title: 'Connect a device', body }
}

export function deviceScreen(device: { user_code: string; device_name: string | null }, who: Signed): Page {
  const inner = html`<input type="hidden" name="user_code" value="${device.user_code}">
<button class="main" name="answer" value="approve">Allow</button>
<button name="answer" value="deny">Refuse</button>`
  const body = html`
<p>The command line on <strong>${device.device_name ?? 'an unnamed device'}</strong> asks to act for you, with
everything that your role allows. The code it shows must be <code>${device.user_code}</code>.</p>
<p>Go on only if you started this yourself.</p>
${formOf(who.form_token, 'device', inner)}${signedInAs(who)}`
  return { title: 'Allow this device?', body }
}

export function doneScreen(title: string, text: string): Page {
  return { title, body: html`<p>${text}</p>` }
}

export function refusalScreen(status: number, text: string): Page {
  return { status, title: 'This cannot be done', body: html`<p class="fault" role="alert">${text}</p>` }
}
