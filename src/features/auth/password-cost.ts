// Twelve rounds of N = 2^13, r = 8, each with the last result as its password, cost an attacker as much as the usual
// 2^17/8/1, but take 8 MB instead of 128, which is all that a Worker has, and other requests run between two rounds; about 0.2 s of
// CPU of the 30 s that a request may use. A file of its own, so that the tests of all that goes on around a password can put a
// cheaper one in its place.
export const COST = 2 ** 13
export const BLOCK_SIZE = 8
export const ROUNDS = 12
