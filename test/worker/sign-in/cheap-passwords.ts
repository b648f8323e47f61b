// Stands in for src/features/auth/password-cost.ts, which costs 0.2 s a password; test/pure/sign-in holds the real cost.
export const COST = 2 ** 4
export const BLOCK_SIZE = 8
export const ROUNDS = 1
