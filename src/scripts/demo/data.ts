// What the organization `demo` holds after a first local start. Everything carries a federatedId, so that it can be written again.

const seasons = [
  { value: 'SS27', label: 'Spring 2027' },
  { value: 'FW27', label: 'Fall 2027' },
]

export const TYPES = [
  {
    federatedId: 'demo-item',
    typePath: 'item',
    label: 'Item',
    properties: [
      { slug: 'season', label: 'Season', propertyType: 'choice', options: seasons, level: 'family' },
      { slug: 'launchDate', label: 'Launch', propertyType: 'date', level: 'family' },
    ],
  },
  {
    federatedId: 'demo-apparel',
    typePath: 'item:apparel',
    label: 'Apparel',
    properties: [
      { slug: 'fabric', label: 'Fabric', propertyType: 'string', level: 'family' },
      { slug: 'wholesalePrice', label: 'Wholesale price', propertyType: 'currency', level: 'override' },
      { slug: 'isPremium', label: 'Premium', propertyType: 'boolean', level: 'family' },
      { slug: 'care', label: 'Care', propertyType: 'multi_select', options: ['wash', 'dry clean', 'line dry'] },
    ],
  },
  {
    federatedId: 'demo-bag',
    typePath: 'item:bag',
    label: 'Bag',
    properties: [{ slug: 'volume', label: 'Volume (l)', propertyType: 'number', level: 'family' }],
  },
  {
    federatedId: 'demo-project-item',
    typePath: 'project-item',
    label: 'Item in a season',
    properties: [{ slug: 'region', label: 'Region', propertyType: 'choice', options: ['Europe', 'North America'] }],
  },
]

export const COLORS = [
  { federatedId: 'navy', name: 'Navy', hex: '#1f2a44' },
  { federatedId: 'olive', name: 'Olive', hex: '#6b6b3a' },
  { federatedId: 'natural', name: 'Natural', hex: '#e8dfc9' },
  { federatedId: 'black', name: 'Black', hex: '#1c1c1c' },
  { federatedId: 'ecru', name: 'Ecru', hex: '#efe6d2' },
  { federatedId: 'charcoal', name: 'Charcoal', hex: '#3b3f45' },
]

const family = { roles: ['family'] }
export const FAMILIES = [
  {
    federatedId: 'TJ-100',
    name: 'Trail Jacket',
    typePath: 'item:apparel',
    ...family,
    season: 'SS27',
    fabric: 'Recycled nylon',
    wholesalePrice: 79.5,
    isPremium: true,
    launchDate: '2027-02-01',
  },
  { federatedId: 'CT-200', name: 'Canvas Tote', typePath: 'item:bag', ...family, season: 'SS27', volume: 18 },
  {
    federatedId: 'MC-300',
    name: 'Merino Crew',
    typePath: 'item:apparel',
    ...family,
    season: 'FW27',
    fabric: 'Merino wool',
    wholesalePrice: 58,
    isPremium: false,
    care: ['wash', 'line dry'],
  },
]

/** Colors of each family, and the assortments that have them. */
export const OPTIONS = [
  { family: 'TJ-100', color: 'Navy', assortments: ['europe', 'north-america'] },
  { family: 'TJ-100', color: 'Olive', assortments: ['europe'] },
  { family: 'CT-200', color: 'Natural', assortments: ['europe', 'north-america'] },
  { family: 'CT-200', color: 'Black', assortments: ['north-america'] },
  { family: 'MC-300', color: 'Ecru', assortments: ['europe'] },
  { family: 'MC-300', color: 'Charcoal', assortments: ['north-america'] },
]

export const PROJECT = { federatedId: 'spring-2027', name: 'Spring 2027' }
export const WORKSPACE = { federatedId: 'spring-2027', identifier: 'spring-2027', name: 'Spring 2027' }
export const ASSORTMENTS = [
  { federatedId: 'europe', identifier: 'europe', name: 'Europe' },
  { federatedId: 'north-america', identifier: 'north-america', name: 'North America' },
]
export const COMPOSITE = { federatedId: 'global', identifier: 'global', name: 'Global' }

export const SIZES = [{ federatedId: 'alpha', name: 'Alpha', sizes: ['XS', 'S', 'M', 'L', 'XL'] }]

/** Run by `selvedge workflows run sample-approval`; it waits for a callback. */
export const WORKFLOW = {
  federatedId: 'sample-approval',
  name: 'Sample approval',
  triggerKey: 'sample-approval',
  isActive: true,
  paths: [
    {
      tasks: [
        { name: 'note', action: 'expression', config: { output: { style: '{event.style}' } } },
        { name: 'approve', action: 'wait', async: true },
      ],
    },
  ],
}
