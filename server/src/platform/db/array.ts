/** Numbers as the text of an array: the driver escapes every element of an array that it is given, numbers too. */
export function numberArray(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}
