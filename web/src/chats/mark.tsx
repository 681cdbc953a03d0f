/** The sign of Parley. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 30 30" aria-hidden="true">
      <rect width="30" height="30" rx="9.5" class="mark-ground" />
      <path d="M8 9.2A2.2 2.2 0 0 1 10.2 7h6.6A2.2 2.2 0 0 1 19 9.2v4.6a2.2 2.2 0 0 1-2.2 2.200h-3.300L10 18.800V16A2.200 2.200 0 0 1 8 13.800z" />
      <path
        d="M21 12.200h.2a2.300 2.300 0 0 1 2.300 2.300v3.900a2.300 2.300 0 0 1-2.300 2.300v2.400l-3-2.400h-2.900a2.300 2.300 0 0 1-2.200-1.700l.8-.7h3a4.100 4.100 0 0 0 4.100-4.100z"
        class="mark-second"
      />
    </svg>
  )
}
