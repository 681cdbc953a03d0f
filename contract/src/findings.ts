/** Names that a text holds in braces, such as `place` in `{place} is free.` */
type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** A value for each name in a text. */
export type ValuesOf<T extends string> = Readonly<Record<NamesIn<T>, string | number>>

/** A text with values in the place of names in braces. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name))
}
