/** A path with its parameters filled in. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** The query of a call with its question mark, or nothing; lists are repeated as `name[]`. */
export function writeQuery(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const item of value) search.append(`${name}[]`, String(item))
    else search.set(name, String(value))
  }
  const text = search.toString()
  return text && `?${text}`
}

/** The body of an answer: parsed where it is JSON, else its text; undefined where it is empty. */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}
