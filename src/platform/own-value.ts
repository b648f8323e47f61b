/** What an object has under a name itself: a property may be called `toString`, which every object inherits. */
export const ownValue = (of: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(of, name) ? of[name] : undefined
