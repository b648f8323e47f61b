// One half of the random loads; differential/compare.ts says what they are.
import { randomLoads } from './differential/compare.ts'

randomLoads(0)
