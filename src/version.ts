// The version stands in package.json alone.
import { version } from '../package.json'

export const VERSION: string = version
