declare module 'virtual:operations' {
  /** Method and path by the name of the operation; made by the build from the contract. */
  export const table: Readonly<Record<string, readonly [method: string, path: string]>>
}
