// Which property a column probably means. Only suggested: a person confirms, and what was chosen is remembered. Pure.
import { ownValue } from './own-value.ts'

const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Words that people write over such columns. */
const USUAL: Record<string, readonly string[]> = {
  itemFamilyFederatedId: [
    'style',
    'stylenumber',
    'styleno',
    'stylecode',
    'family',
    'familynumber',
    'productcode',
    'article',
    'model',
  ],
  itemOptionFederatedId: ['sku', 'option', 'optionnumber', 'colorway', 'variant', 'variantcode', 'articleoption'],
  optionName: ['color', 'colour', 'colorname', 'colourname', 'colorwayname'],
  name: ['title', 'stylename', 'productname', 'description', 'itemname', 'label'],
  federatedId: ['id', 'code', 'number', 'key', 'no'],
  typePath: ['type', 'category', 'producttype'],
  sizes: ['size', 'sizerange', 'sizelist'],
  hex: ['hexcode', 'rgbhex', 'colorcode'],
}

export interface Candidate {
  slug: string
  label: string
}

/** Undefined: the column has the name or the label of a property already, or nothing comes near. */
export function suggestionFor(
  column: string,
  candidates: readonly Candidate[],
  remembered: Readonly<Record<string, string>>,
): string | undefined {
  const known = ownValue(remembered, column)
  if (known !== undefined && candidates.some(({ slug }) => slug === known)) return known
  const word = bare(column)
  const near = candidates.find(({ slug, label }) => bare(slug) === word || bare(label) === word)
  if (near) return near.slug === column ? undefined : near.slug
  return candidates.find(({ slug }) => ownValue(USUAL, slug)?.includes(word))?.slug
}

/** Whether the service matches the column by itself: by slug, or by label in any case. */
export function isMatched(column: string, candidates: readonly Candidate[]): boolean {
  return candidates.some(({ slug, label }) => slug === column || label.toLowerCase() === column.toLowerCase())
}
