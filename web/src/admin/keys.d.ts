declare module 'virtual:audit-keys' {
  /** Every key of the audit log; made by the build from the contract. */
  export const keys: readonly import('@parley/contract').AuditEventKey[]
}
