/** A browser without scripts: it keeps cookies, reads forms and posts them back. */
export function openBrowser(origin: string) {
  const jar = new Map<string, string>()

  async function visit(path: string, init: RequestInit = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie ? { cookie } : {}) }
    const answer = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0\b/.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, location: answer.headers.get('location'), text }
  }

  return {
    jar,
    visit,
    /** Posts the form of this step as the page last shown holds it. */
    submit(path: string, shown: { text: string }, step: string, fields: Record<string, string> = {}) {
      const forms = shown.text.match(/<form[\s\S]*?<\/form>/g) ?? []
      const form = forms.find((text) => text.includes(`name="step" value="${step}"`)) ?? ''
      const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
      const known = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
      const body = new URLSearchParams({ ...known, ...fields } as Record<string, string>)
      return visit(path, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } })
    },
  }
}
