import './count.css'

/** A number in a pill; `call` is the one that wants the reader. */
export function Count({ value, call = false, label }: { value: number; call?: boolean; label: string }) {
  return (
    <span class={`count ${call ? 'count-call' : ''}`}>
      <span aria-hidden="true">{value > 99 ? '99+' : value}</span>
      <span class="only-heard">{label}</span>
    </span>
  )
}
