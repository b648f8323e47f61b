// Where a deployment says that it is found, for the addresses that it hands out.
import type { Env } from './env.ts'

/** Without slashes at its end, since paths are put behind it; with `/api` where it names the origin alone. */
export function publicUrl({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): string | undefined {
  const url = PUBLIC_URL?.replace(/\/+$/, '')
  return url && /^https?:\/\/[^/]+$/.test(url) ? `${url}/api` : url
}
