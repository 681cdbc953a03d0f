/** The edition of the contract that the laws are of. Its list of laws is `requirements/<edition>.json`. */
export const EDITION = '2026-11'
