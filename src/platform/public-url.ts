// Where a deployment says that it is found, for the addresses that it hands out.
import type { Env } from '../env.ts'

/** Without slashes at its end: paths are put behind it. */
export function publicUrl({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): string | undefined {
  return PUBLIC_URL?.replace(/\/+$/, '')
}
