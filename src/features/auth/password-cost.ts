// N = 2^15, r = 8, p = 3 is as strong as the usual 2^17/8/1 but takes 32 MB instead of 128, which is all that a Worker has; it
// costs about 0.2 s of CPU of the 30 s that a request may use. A file of its own, so that the tests of all that goes on around
// a password can put a cheaper one in its place.
export const COST = 2 ** 15
export const BLOCK_SIZE = 8
export const PARALLELISM = 3
