import type { CustomProperty, CustomPropertyDefinition } from '@parley/contract'

/** Every field that is defined comes, the empty ones with null. */
export function presentProperties(
  definitions: readonly CustomPropertyDefinition[],
  values: Record<string, string> | null,
): CustomProperty[] {
  return definitions.map(({ id, name, data_type }) => ({ id, name, data_type, value: values?.[id] ?? null }))
}
