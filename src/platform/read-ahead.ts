// What comes next is fetched while the last is worked on.

export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let upcoming = source.next()
  try {
    for (;;) {
      const { value, done } = await upcoming
      if (done) return
      upcoming = source.next()
      upcoming.catch(() => undefined)
      yield value
    }
  } finally {
    await upcoming.catch(() => undefined)
    await source.return(undefined)
  }
}
