import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'

/** Leads to another address, to which Back does not return. */
export function Redirect({ to }: { to: string }) {
  const { route } = useLocation()
  useEffect(() => route(to, true), [])
  return null
}
