interface SearchFieldProps {
  /** What is looked for; shown while nothing is typed. */
  label: string
  value: string
  onText(text: string): void
}

/** A field above a list that keeps what fits. */
export function SearchField({ label, value, onText }: SearchFieldProps) {
  return (
    <input
      class="input"
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
}
