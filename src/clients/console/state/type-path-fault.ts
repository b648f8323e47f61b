// What is wrong with the path of a new type: it begins with the path of an entity type of the service. Pure.
import type { RootType } from '../../typescript/index.ts'

const PART = /^[A-Za-z0-9_-]{1,64}$/

export function typePathFault(
  typePath: string,
  roots: readonly Pick<RootType, 'rootTypePath'>[],
  isKnown: (typePath: string) => boolean,
): string | undefined {
  const [root = '', ...below] = typePath.split(':')
  const names = roots.map(({ rootTypePath }) => rootTypePath)
  // Until the types are read no root is known, and the service decides.
  if (names.length > 0 && !names.includes(root))
    return `"${root}" is no entity type. Begin with one of: ${names.join(', ')}.`
  if (below.length === 0) return `Add a name after "${root}:", for example ${root}:shirt.`
  const wrong = below.find(part => !PART.test(part))
  if (wrong !== undefined)
    return `"${wrong}" is no name: use up to 64 letters, digits, hyphens and underscores between colons.`
  return isKnown(typePath) ? `${typePath} exists already. Open it to change it.` : undefined
}
