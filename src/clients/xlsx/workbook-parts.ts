// Where in a workbook its sheets, styles and texts are, as far as the library does not tell. Names are compared as they are
// written, and as they are with their escapes resolved.
import { attributesIn } from './xml.ts'
import { ZipParts } from './zip-parts.ts'

export interface Sheet {
  path: string
  isHidden: boolean
}

export interface WorkbookParts {
  parts: ZipParts
  /** Those that hold cells, by name: a chart may have a sheet, too. */
  sheets: ReadonlyMap<string, Sheet>
  styles: string
  texts: string
  isFrom1904: boolean
  /** Whether its formulas are to be computed anew by whoever opens it: what it has of them may be nothing but a 0. */
  isUncomputed: boolean
}

/** A ZIP file without the parts of a workbook as XML. */
export class NoWorkbook extends Error {
  constructor(isBinary: boolean) {
    super(
      isBinary
        ? 'It is a binary Excel workbook (.xlsb). Save it as .xlsx first.'
        : 'It is a ZIP file, but no Excel workbook of the kind .xlsx.',
    )
  }
}

const WORKBOOK = /<(?:[\w.-]+:)?workbook\b/

const isTrue = (value = '') => /^(1|true)$/.test(value)

export async function partsOf(workbook: Uint8Array): Promise<WorkbookParts> {
  const parts = new ZipParts(workbook)
  const [main = ''] = (await targetsOf(parts, '', 'officeDocument')).values()
  const isBinary = /\.bin$/i.test(main)
  const text = isBinary ? '' : await parts.text(main)
  if (!WORKBOOK.test(text)) throw new NoWorkbook(isBinary)
  const worksheets = await targetsOf(parts, main, 'worksheet')
  const [styles = ''] = (await targetsOf(parts, main, 'styles')).values()
  const [texts = ''] = (await targetsOf(parts, main, 'sharedStrings')).values()
  const sheets = attributesIn(text, 'sheet').flatMap(({ name = '', state = 'visible', ...rest }) => {
    const [, id = ''] = Object.entries(rest).find(([key]) => key.endsWith(':id')) ?? []
    const path = worksheets.get(id)
    return path === undefined ? [] : [[name, { path, isHidden: state !== 'visible' }] as const]
  })
  return {
    parts,
    sheets: new Map(sheets),
    styles: await parts.text(styles),
    texts,
    isFrom1904: attributesIn(text, 'workbookPr').some(({ date1904 }) => isTrue(date1904)),
    isUncomputed: attributesIn(text, 'calcPr').some(({ fullCalcOnLoad }) => isTrue(fullCalcOnLoad)),
  }
}

/** Where the relations of a part lead that have this type, by their ids. */
async function targetsOf(parts: ZipParts, part: string, type: string): Promise<Map<string, string>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations = attributesIn(await parts.text(`${folder}_rels/${part.slice(folder.length)}.rels`), 'Relationship')
  return new Map(
    relations
      .filter(({ Type = '' }) => Type.endsWith(`/${type}`))
      .map(({ Id = '', Target = '' }) => [Id, pathOf(parts, folder, Target)]),
  )
}

function pathOf(parts: ZipParts, folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  const path = steps.join('/')
  return parts.has(path) ? path : unescaped(path)
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
