/** A round trip to a primary on another continent, and to a replica in the same town. */
export const FAR_MS = 120
export const NEAR_MS = 4
