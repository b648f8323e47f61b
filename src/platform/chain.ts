// How deep in a chain of workflows a call is (N68). Our own outbound calls say it in a header, signed so that no other caller can:
// where such a call comes back to us, the chain goes on and ends at its limit (N36).
import { isSigned, type SecretsEnv, signed } from './secrets.ts'

export const CHAIN_HEADER = 'Selvedge-Chain'

const PURPOSE = 'chain'
const CHAIN = /^(\d{1,3})\.([A-Za-z0-9_-]{43})$/

/** Without a key to sign with there is no header, and none is believed. */
export async function chainHeader(env: SecretsEnv, depth: number): Promise<Record<string, string>> {
  if (!env.SECRETS_KEY) return {}
  return { [CHAIN_HEADER]: `${depth}.${await signed(env, PURPOSE, String(depth))}` }
}

/** 0: no run of ours stands behind the call. */
export async function chainDepth(env: SecretsEnv, request: Request): Promise<number> {
  const [, depth, signature] = CHAIN.exec(request.headers.get(CHAIN_HEADER) ?? '') ?? []
  if (!depth || !signature) return 0
  return (await isSigned(env, PURPOSE, depth, signature)) ? Number(depth) : 0
}
