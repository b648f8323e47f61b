// Whose notes on members lie in the tables while something is published: those of a load by its id, those of a publish by hand by its
// time as well, so that whoever sweeps leaves a young one alone. Pure.

const BY_HAND = 'by hand '

export const byHand = (now: number, changeId: string) => `${BY_HAND}${now} ${changeId}`

/** Ids of publishes by hand since then lie between these two. */
export const byHandSince = (time: number) => ({ from: `${BY_HAND}${time}`, to: `${BY_HAND}~` })
