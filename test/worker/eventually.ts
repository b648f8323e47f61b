// Waits for what queues, alarms and objects bring about: asks again until the condition holds.
const PATIENCE_MS = 15_000
const PAUSE_MS = 20

export async function eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (Date.now() > end) throw new Error(`did not come about; last seen ${JSON.stringify(seen)}`)
    await scheduler.wait(PAUSE_MS)
  }
}
