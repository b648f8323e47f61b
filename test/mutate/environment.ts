/** Set by runs.ts. */
export function required(name: 'MUTATE_OUT' | 'MUTATE_MODE'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: this part is started by npm run mutate.`)
  return value
}
