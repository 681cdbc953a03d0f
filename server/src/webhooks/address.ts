/** One address of a bot; endpoint 0 is the one in its settings. */
export interface Address {
  bot_id: number
  endpoint_id: number
}
