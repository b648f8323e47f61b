// What a look at the beginning of a file tells, and what the six steps make of its first rows. Shapes only: the console's page of
// loads is typed by them, and preview.ts does the work in the browser. Pure.

export interface FilePreview {
  delimiter: string
  lineBreak: string
  hasByteOrderMark: boolean
  /** The header's line in the file. */
  line: number
  names: string[]
  rows: string[][]
  lines: number[]
  /** Whether these are all rows of the file. */
  isWhole: boolean
  faults: { line: number; message: string }[]
}

export type FileFault = { fault: string; line: number }

/** `bytes` are the first of the file; `isWhole` where there are no more. */
export type PreviewFile = (bytes: Uint8Array, isWhole: boolean) => FilePreview | FileFault

/** As much of a loader configuration as the steps need. */
export interface PreviewConfiguration {
  loadType: readonly string[]
  federatedMappings?: Record<string, string> | undefined
  propertiesToRemove?: string[] | undefined
  conditionalColumns?:
    | {
        toProperty: string
        fromProperty?: string | undefined
        conditions?: { conditional: string; value: unknown }[] | undefined
        default?: unknown
      }[]
    | undefined
  assortmentSplit?:
    | { fieldToSplitOn: string; addField?: string | undefined; dropField?: string | undefined }
    | undefined
  assortmentItemDropField?: string | undefined
  columnTypes?: Record<string, string> | undefined
  unchangedMark?: string | undefined
}

export interface PreviewProperty {
  slug: string
  label: string
  propertyType: string
  options: readonly { value: string; label: string }[] | null
  level: string
  archived: boolean
  required: boolean
}

export interface StepPreview {
  name: string
  columns: string[]
  rows: Record<string, unknown>[]
}

/** A cell that is none of its property's options. */
export interface UnknownOption {
  /** What the column is called where made columns see it. */
  column: string
  slug: string
  text: string
  /** The option that comes nearest. */
  nearest?: string | undefined
}

export interface StepsPreview {
  steps: StepPreview[]
  unknownOptions: UnknownOption[]
  issues: { rowNumber: number; columnName: string | null; message: string; severity: 'error' | 'warning' }[]
  /** Columns with a meaning of their own, such as name or itemFamilyFederatedId. */
  reserved: string[]
  /** An expression that cannot be read; then the steps end before it. */
  fault?: string
}

/** `types` gives the properties of a type path, those of the paths above it included. */
export type PreviewSteps = (
  file: FilePreview,
  configuration: PreviewConfiguration,
  types: (typePath: string) => readonly PreviewProperty[],
) => StepsPreview
