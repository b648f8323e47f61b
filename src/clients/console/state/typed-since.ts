// What was typed while something else was on its way: it was not sent, and stays. Pure.
import { ownValue } from './own-value.ts'

type Texts = Readonly<Record<string, string>>

export const typedSince = (now: Texts, sent: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(now).filter(([name, text]) => text !== ownValue(sent, name)))
