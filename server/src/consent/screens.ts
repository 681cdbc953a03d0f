import { groupScopes, SCOPE_TEXTS } from '@parley/contract/scope-texts'
import type { Language } from '../users/language-queries.js'
import type { Ask, Refusal } from './ask.js'
import { type Html, html, type Page } from './html.js'
import { CONSENT_WORDS } from './words.js'

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

interface SignInPlace {
  form_token: string
  workspace: string
  app_url: string
  here: string
  /** Whether there are identity providers, which the client knows. */
  elsewhere: boolean
}

/** The client leads back here after the sign-in. */
function clientAddress(app_url: string, here: string): string {
  return `${app_url.replace(/\/$/, '')}/sign-in?${new URLSearchParams([['then', here]])}`
}

export type Screens = ReturnType<typeof screensIn>

/** Every page of the consent, in a language. */
export function screensIn(language: Language) {
  const say = CONSENT_WORDS[language]

  function signedInAs({ form_token, workspace, email }: Signed): Html {
    const change = formOf(form_token, 'sign-out', html`<button>${say.anotherAccount}</button>`)
    return html`<p class="small">${say.signedInAs(workspace, email)}</p>${change}`
  }

  /** `Messages: read, create` */
  function rightsOf(scopes: readonly string[]): Html[] {
    return groupScopes(SCOPE_TEXTS[language], scopes).map(({ title, scopes: rights }) => {
      const labels = rights.map(({ label }) => label.toLocaleLowerCase(language)).join(', ')
      return html`<li><strong>${title}</strong>: ${labels}</li>`
    })
  }

  return {
    signIn(place: SignInPlace, isWrong: boolean): Page {
      const { form_token, workspace } = place
      const inner = html`
<label>${say.email} <input name="email" type="email" autocomplete="username" required autofocus></label>
<label>${say.password} <input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">${say.signIn}</button>`
      const note = isWrong ? html`<p class="fault" role="alert">${say.wrongPassword}</p>` : undefined
      const other = place.elsewhere
        ? html`<p><a href="${clientAddress(place.app_url, place.here)}">${say.otherWays}</a></p>`
        : undefined
      const body = html`${note}${formOf(form_token, 'sign-in', inner)}${other}`
      return { language, status: isWrong ? 401 : 200, title: say.signInTo(workspace), body }
    },

    /** These pages know passwords alone; the client asks for the second factor. */
    secondFactor(app_url: string, here: string): Page {
      const body = html`<p>${say.secondFactorText}</p>
<p><a href="${clientAddress(app_url, here)}">${say.signIn}</a></p>`
      return { language, status: 401, title: say.secondFactor, body }
    },

    /** The client knows the identity providers too. */
    noPasswords(app_url: string, here: string, workspace: string): Page {
      const body = html`<p>${say.signInFirst}</p>
<p><a href="${clientAddress(app_url, here)}">${say.signIn}</a></p>`
      return { language, status: 401, title: say.signInTo(workspace), body }
    },

    consent(ask: Ask, who: Signed): Page {
      const buttons = html`<button class="main" name="answer" value="allow">${say.allow}</button>
<button name="answer" value="cancel">${say.cancel}</button>`
      const body = html`
<p><strong>${ask.client.bot_name}</strong> ${say.asksToAct} <strong>${who.workspace}</strong>.</p>
<p>${say.ableTo}</p>
<ul>${rightsOf(ask.client.scopes)}</ul>
${formOf(who.form_token, 'consent', buttons)}
${signedInAs(who)}`
      return { language, title: say.allowBot(ask.client.bot_name), body, leadsTo: ask.redirect_uri }
    },

    code(who: Signed, isUnknown = false): Page {
      const inner = html`
<label>${say.code} <input name="user_code" placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" required autofocus></label>
<button class="main">${say.next}</button>`
      const note = isUnknown ? html`<p class="fault" role="alert">${say.noDevice}</p>` : undefined
      const body = html`<p>${say.typeCode}</p>${note}
${formOf(who.form_token, 'code', inner)}${signedInAs(who)}`
      return { language, status: isUnknown ? 400 : 200, title: say.connect, body }
    },

    device(device: { user_code: string; device_name: string | null }, who: Signed): Page {
      const inner = html`<input type="hidden" name="user_code" value="${device.user_code}">
<button class="main" name="answer" value="approve">${say.allow}</button>
<button name="answer" value="deny">${say.refuse}</button>`
      const body = html`
<p>${say.commandLineOn} <strong>${device.device_name ?? say.unnamed}</strong> ${say.deviceAsks} <code>${device.user_code}</code>.</p>
<p>${say.ownOnly}</p>
${formOf(who.form_token, 'device', inner)}${signedInAs(who)}`
      return { language, title: say.allowDevice, body }
    },

    done(state: 'approved' | 'denied'): Page {
      const title = state === 'approved' ? say.connected : say.turnedAway
      return { language, title, body: html`<p>${say.goBack}</p>` }
    },

    refusal({ status, code, detail }: Pick<Refusal, 'status' | 'code' | 'detail'>): Page {
      const text = `${say.refusals[code]}${detail === undefined ? '' : `: ${detail}`}.`
      const body = html`<p class="fault" role="alert">${text}</p>`
      return { language, status, title: say.refused, body }
    },
  }
}
