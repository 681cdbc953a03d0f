/** Goes to an address of the client, for code that is no component; the router hears of it as of the Back button. */
export function navigate(url: string, how: 'push' | 'replace' = 'push') {
  if (how === 'push') history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  dispatchEvent(new PopStateEvent('popstate'))
}
