// What is deployed: the version and the newest migration, as the Worker will tell them.
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' }
import packageJson from '../../../package.json' with { type: 'json' }

export const VERSION = packageJson.version
export const SCHEMA_FILE = journal.entries.at(-1)?.tag ?? ''
