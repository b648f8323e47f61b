// A configuration as YAML: plain maps, lists and texts, no more than configurations hold. Pure.

const PLAIN = /^[A-Za-z_][A-Za-z0-9_ /-]*$/
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', '~', 'y', 'n'])

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null)
  return PLAIN.test(value) && !WORDS.has(value.toLowerCase()) && value === value.trim() ? value : JSON.stringify(value)
}

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

export function yamlText(value: unknown, indent = ''): string {
  if (!isNested(value)) return `${indent}${Array.isArray(value) ? '[]' : scalar(value)}\n`
  if (Array.isArray(value)) {
    return value
      .map(each =>
        isNested(each) ? `${indent}- ${yamlText(each, `${indent}  `).trimStart()}` : `${indent}- ${scalar(each)}\n`,
      )
      .join('')
  }
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) =>
      isNested(each)
        ? `${indent}${scalar(key)}:\n${yamlText(each, `${indent}  `)}`
        : `${indent}${scalar(key)}: ${Array.isArray(each) ? '[]' : scalar(each)}\n`,
    )
    .join('')
}
