// Every bound of the expression language. Each row of a load may reach them, so they are small. // N31

export const SOURCE_CHARACTERS = 10_000
/** Nesting of the parsed source: also the depth of the closures that run it. */
export const SOURCE_DEPTH = 400
/** Brackets within each other, which cost the parser more of its stack than anything else. */
export const SOURCE_BRACKETS = 150
/** Callback work and array elements handled by one evaluation; no array grows beyond it. */
export const EVALUATION_STEPS = 10_000
/** Length of any one text. */
export const TEXT_CHARACTERS = 1_000_000
/** Characters read and written by one evaluation. */
export const EVALUATION_CHARACTERS = 4_000_000
/** Characters of slow work, such as converting a text to a number, that count as one step; a step may take 15 µs as with a regular expression. */
export const SLOW_CHARACTERS_PER_STEP = 150_000
export const JSON_TEXT_CHARACTERS = 100_000
/** Nesting of arrays and objects that an evaluation turns into text or returns. */
export const VALUE_DEPTH = 100

export const REGEX_PATTERN_CHARACTERS = 500
export const REGEX_GROUP_DEPTH = 10
/** Repetitions written out, `\d{4}` being 4. */
export const REGEX_EXPANDED_TERMS = 1_000
export const REGEX_TEXT_CHARACTERS = 10_000
/** Worst-case matching work of one use; the longest text allowed follows from it and the pattern. */
export const REGEX_WORK = 25_000_000
export const REGEX_WORK_PER_STEP = 12_500
