// Where databases and buckets are created. Cloudflare moves none of them later, so this counts for those that are missing.
import type { Target } from './target.ts'

/** Both as Wrangler's own `d1 create` and `r2 bucket create` take them. */
const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']
const JURISDICTIONS = ['eu', 'fedramp', 'us']

export interface Place {
  location?: string | undefined
  jurisdiction?: string | undefined
}

/** A Worker finds a bucket of a jurisdiction only where wrangler.toml names that too. Databases then follow the buckets without the flag. */
export function placeOf({ location, jurisdiction }: Place, { buckets }: Pick<Target, 'buckets'>): Place {
  refuseOther('location', location, LOCATIONS)
  refuseOther('jurisdiction', jurisdiction, JURISDICTIONS)
  const others = jurisdiction ? buckets.filter(bucket => bucket.jurisdiction !== jurisdiction) : []
  if (others.length > 0) {
    throw new Error(
      `--jurisdiction ${jurisdiction} needs the line jurisdiction = "${jurisdiction}" below the bucket_name of ${others.map(({ name }) => name).join(' and ')} in wrangler.toml: the Worker would look for the bucket elsewhere. Nothing was done.`,
    )
  }
  const [first, ...rest] = buckets.map(bucket => bucket.jurisdiction)
  const bound = jurisdiction ?? (rest.every(each => each === first) ? first : undefined)
  if (location && bound) {
    throw new Error(
      `--location ${location} and the jurisdiction ${bound} exclude each other: Cloudflare chooses the place inside a jurisdiction. Nothing was done.`,
    )
  }
  return { location, jurisdiction: bound }
}

function refuseOther(flag: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return
  throw new Error(`There is no ${flag} ${value}: --${flag} takes ${known.join(', ')}. Nothing was done.`)
}
