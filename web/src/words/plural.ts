type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Chooses the form for a count; `#` is replaced by the number. */
export function pluralIn(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
}
