/** A time as JSON has it, without its quotes. Sessions are in UTC. */
export const timeSql = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
