/** Numbers or truth values as the text of an array: the driver escapes every element of an array that it is given, these too. */
export function plainArray(values: readonly (number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

/** The values of an array that a statement gives as text: the driver takes long ones apart character by character. */
export function valuesOf(array: string | null): string[] {
  return array === null || array === '{}' ? [] : array.slice(1, -1).split(',')
}

/** Texts as the text of an array: the driver replaces what has to be escaped twice in each element, whether or not there is anything. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: string | null): string {
  if (value === null) return 'null'
  if (!value.includes('"') && !value.includes('\\')) return `"${value}"`
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
