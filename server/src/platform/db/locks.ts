/** Advisory locks that have a number of their own; locks on a key are taken by the hash of its text. */
export const LOCKS = {
  migrate: 7_310_541,
  relay: 7_310_542,
  seal_audit: 7_310_543,
  order_export: 7_310_544,
  retention: 7_310_545,
  imports: 7_310_546,
  place_events: 7_310_547,
} as const
