// As much XML as the parts of a workbook need that the library does not tell of. Pure.

/** An attribute may hold `>`. */
const ATTRIBUTES = `(?:[^>"']|"[^"]*"|'[^']*')*?`
const PREFIX = '(?:[\\w.-]+:)?'

/** Finds elements of this name with what they hold, whatever their prefix: the attributes are the first group, the content the second. */
export function elementPattern(name: string): RegExp {
  return new RegExp(`<${PREFIX}${name}\\b(${ATTRIBUTES})(?:/>|>([\\s\\S]*?)</${PREFIX}${name}>)`, 'g')
}

/** The attributes of every such tag. */
export function attributesIn(xml: string, name: string): Record<string, string>[] {
  const tags = xml.matchAll(new RegExp(`<${PREFIX}${name}\\b(${ATTRIBUTES})/?>`, 'g'))
  return [...tags].map(([, attributes = '']) => attributesOf(attributes))
}

export function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return Object.fromEntries([...found].map(([, name, double, single]) => [name, decoded(double ?? single ?? '')]))
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}
