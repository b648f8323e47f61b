// Looking up by a name that somebody else chose: `toString` is a name like any other. Pure.

export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
