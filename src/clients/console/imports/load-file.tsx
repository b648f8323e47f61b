// Step 1: the file, or a sheet of a workbook. What is detected is told from its first 64 KB; the rest is the service's business.
import type { FilePreview } from '../../../features/loads/preview-shape.ts'
import type { FileRecord } from '../../typescript/index.ts'
import { DropArea } from '../components/drop-area.tsx'
import { textOf } from '../components/field.tsx'
import { More } from '../components/more.tsx'
import { ErrorPanel } from '../components/shown.tsx'
import { type ChosenFile, type Part, storedFiles } from '../state/chosen-file.ts'
import type { ChosenSheet } from '../state/chosen-workbook.ts'
import { counted, exactTime, sizeText } from '../state/format.ts'
import { shownWords } from '../state/load-words.ts'
import { useLoad } from '../state/use-load.ts'

const DELIMITERS: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

/** So many are shown. */
const ROWS = 5
const FAULTS = 5

interface LoadFileProps {
  chosen: ChosenFile | undefined
  /** Another one than is chosen so far. */
  isReading: boolean
  /** Rows of a sheet that are done, as long as there are more to come. */
  converted: number | undefined
  choose(file: File, part?: Part): void
  chooseStored(file: FileRecord): void
}

export function LoadFile({ chosen, isReading, converted, choose, chooseStored }: LoadFileProps) {
  return (
    <section class="panel stack" aria-labelledby="load-file">
      <h2 class="step-title" id="load-file">
        <span class="at">1</span> File
      </h2>
      <DropArea
        title="Choose a file"
        prompt="Drop a CSV file or an Excel workbook here, or"
        button={chosen ? 'Choose another file' : 'Choose a file'}
        isMain={!chosen}
        label="CSV file or Excel workbook"
        accept=".csv,.tsv,.txt,text/csv,.xlsx,.xlsm"
        take={([file]) => file && choose(file)}
      >
        <p class="soft">CSV in UTF-8, or a sheet of a workbook (.xlsx), which becomes CSV here.</p>
      </DropArea>
      <Stored choose={chooseStored} />
      {converted !== undefined && (
        <p role="status">
          {converted === 0 ? 'Reading the workbook …' : `${counted(converted, 'row')} of the sheet read …`}
        </p>
      )}
      {chosen?.sheet && <Sheet {...chosen.sheet} choose={choose} />}
      {chosen?.header && <HeaderRow {...chosen.header} sheet={chosen.sheet?.name} choose={choose} />}
      {chosen && !isReading && <Detected chosen={chosen} />}
    </section>
  )
}

function Sheet({ workbook, name, names, choose }: ChosenSheet & Pick<LoadFileProps, 'choose'>) {
  return (
    <p class="line">
      <label for="sheet">Sheet of {workbook.name}</label>
      <select id="sheet" class="narrow" value={name} onChange={event => choose(workbook, { sheet: textOf(event) })}>
        {names.map(each => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </p>
  )
}

type HeaderRowProps = NonNullable<ChosenFile['header']> & { sheet: string | undefined } & Pick<LoadFileProps, 'choose'>

/** A title above the table is no header: the person says which row names the columns. */
function HeaderRow({ of: file, lines, row, sheet, choose }: HeaderRowProps) {
  if (lines.length < 2) return null
  return (
    <p class="line">
      <label for="header-row">Columns are named in</label>
      <select
        id="header-row"
        class="narrow"
        value={row === 1 ? lines[0]?.row : row}
        onChange={event => choose(file, { sheet, headerRow: Number(textOf(event)) })}
      >
        {lines.map(line => (
          <option key={line.row} value={line.row}>
            Row {line.row}: {line.text}
          </option>
        ))}
      </select>
    </p>
  )
}

function Stored({ choose }: { choose(file: FileRecord): void }) {
  const files = useLoad('stored CSV files', signal => storedFiles(['text/csv'], signal))
  if (files.error !== undefined) return <ErrorPanel error={files.error} again={() => void files.reload()} />
  if (!files.value || files.value.length === 0) return null
  return (
    <p class="line">
      <label for="stored-file">or take one that is stored already</label>
      <select
        id="stored-file"
        class="narrow"
        value=""
        onChange={event => {
          const file = files.value?.find(({ id }) => id === textOf(event))
          if (file) choose(file)
          event.currentTarget.value = ''
        }}
      >
        <option value="">Choose …</option>
        {files.value.map(({ id, fileName, size, createdOn }) => (
          <option key={id} value={id}>
            {fileName}, {sizeText(size ?? 0)}, {exactTime(createdOn)}
          </option>
        ))}
      </select>
    </p>
  )
}

function Detected({ chosen: { name, size, preview } }: { chosen: ChosenFile }) {
  if ('fault' in preview) {
    return (
      <section class="error" role="alert">
        <h2>{name} cannot be read</h2>
        <p>
          {'line' in preview && `Line ${preview.line}: `}
          {preview.fault}
        </p>
      </section>
    )
  }
  const { rows, isWhole } = preview
  return (
    <>
      <p role="status">
        <strong>{name}</strong>, {sizeText(size)}: UTF-8
        {preview.hasByteOrderMark && ' with a byte order mark'}, {DELIMITERS[preview.delimiter] ?? preview.delimiter}{' '}
        between cells, {counted(preview.names.length, 'column')};{' '}
        {shownWords(rows.length, Math.min(rows.length, ROWS), isWhole)}.
      </p>
      {preview.faults.slice(0, FAULTS).map(({ line, message }) => (
        <p class="fault" key={line + message}>
          Line {line}: {message}
        </p>
      ))}
      <More count={preview.faults.length - FAULTS} one="fault" />
      <FirstRows preview={preview} />
    </>
  )
}

function FirstRows({ preview }: { preview: FilePreview }) {
  return (
    <section class="scroll preview" aria-label="First rows of the file" {...REACHABLE}>
      <table class="list">
        <thead>
          <tr>
            {preview.names.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.slice(0, ROWS).map((row, at) => (
            <tr key={preview.lines[at]}>
              {row.map((cell, index) => (
                <td key={preview.names[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What scrolls can be scrolled by keyboard. */
export const REACHABLE = { tabIndex: 0 } as const
