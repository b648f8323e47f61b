// Text without regard to case, for a database whose lower() knows ASCII alone. Letters are the same where Unicode's simple case
// folding says so: one letter for one, so that É is é, and Σ, σ and ς are one, but ß is not ss. Only the letters of the text that
// is looked for matter: each of their other forms is replaced in what is stored. Pure.

export interface Needle {
  /** Every letter in the one form that stands for all. */
  text: string
  /** Other forms beyond ASCII, which lower() leaves alone, with the one that stands for them. */
  forms: [other: string, form: string][]
}

/** Where Unicode has letters with case. */
const BLOCKS: readonly [first: number, last: number][] = [
  [0x41, 0x24ff],
  [0x2c00, 0x2dff],
  [0xa640, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x10fff],
  [0x11880, 0x118ff],
  [0x16e00, 0x16eff],
  [0x1e900, 0x1e95f],
]

const HAS_CASE = /\p{Changes_When_Casemapped}/u

let cased: string | undefined

/** All letters with case, found once. */
function casedLetters(): string {
  if (cased !== undefined) return cased
  let found = ''
  for (const [first, last] of BLOCKS) {
    for (let at = first; at <= last; at++) {
      const letter = String.fromCodePoint(at)
      if (HAS_CASE.test(letter)) found += letter
    }
  }
  cased = found
  return found
}

const classes = new Map<string, readonly string[]>()
const CLASSES_MAX = 5000

/** All forms of a letter, itself among them. */
function formsOf(letter: string): readonly string[] {
  const known = classes.get(letter)
  if (known) return known
  const found = HAS_CASE.test(letter) ? (casedLetters().match(new RegExp(letter, 'giu')) ?? [letter]) : [letter]
  if (classes.size >= CLASSES_MAX) classes.clear()
  classes.set(letter, found)
  return found
}

/** The form that the database's lower() would give, had it one. */
function chosenForm(forms: readonly string[]): string {
  const lower = (letter: string) => letter.toUpperCase().toLowerCase()
  return forms.find(form => /[a-z]/.test(form)) ?? forms.find(form => lower(form) === form) ?? forms[0] ?? ''
}

export function needleOf(text: string): Needle {
  const others = new Map<string, string>()
  let folded = ''
  for (const letter of text) {
    const forms = formsOf(letter)
    const form = forms.length > 1 ? chosenForm(forms) : letter
    folded += form
    for (const other of forms) if (other !== form && !/[A-Z]/.test(other)) others.set(other, form)
  }
  return { text: folded, forms: [...others] }
}
