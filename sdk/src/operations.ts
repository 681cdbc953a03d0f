// What each operation takes and answers, printed from the contract as plain types: a compiler reads them in a tenth of the time that
// it takes to infer them from the values of the contract.
export type * from './generated/operations.js'
