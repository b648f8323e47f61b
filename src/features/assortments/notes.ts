// Whose notes on members lie in the tables while something is published: each try has its own, and says its time as well, so that
// the sweep leaves a young one alone.

/** As the first release called them, when there were none but those by hand. */
const TRY = 'by hand '

export const byTry = (now: number, changeId: string) => `${TRY}${now} ${changeId}`

/** The ids of tries since then lie between these two. */
export const triesSince = (time: number) => ({ from: `${TRY}${time}`, to: `${TRY}~` })
