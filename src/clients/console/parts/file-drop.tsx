// Where files are dropped: each is uploaded with a bar of its own, large ones in parts.
import { useRef, useState } from 'preact/hooks'
import { words } from '../state/fault-words.ts'
import { client } from '../state/session.ts'
import { tell, tellFault } from '../state/toasts.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { type Sending, UploadBar } from './upload-bar.tsx'

interface Upload extends Sending {
  id: number
  fault?: string
}

export function FileDrop({ done }: { done(): void }) {
  const [isOver, setOver] = useState(false)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const input = useRef<HTMLInputElement>(null)
  const made = useRef(0)
  const isHere = useIsHere()
  const change = (id: number, part: Partial<Upload>) =>
    setUploads(before => before.map(each => (each.id === id ? { ...each, ...part } : each)))
  const upload = async (file: File) => {
    const id = ++made.current
    setUploads(before => [...before, { id, name: file.name, done: 0, total: file.size }])
    try {
      await client.files.upload({
        content: file,
        fileName: file.name,
        onProgress: ({ bytesDone }) => change(id, { done: bytesDone }),
      })
      setUploads(before => before.filter(each => each.id !== id))
      tell(`Uploaded ${file.name}.`)
    } catch (error) {
      if (isHere.current) change(id, { fault: words(error).what })
      else tellFault(`${file.name} was not uploaded`, error)
    }
    done()
  }
  const take = async (files: FileList | null | undefined) => {
    // One after the other: each sends several parts at once already.
    for (const file of [...(files ?? [])]) await upload(file)
  }
  return (
    <>
      <fieldset
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault()
          setOver(false)
          void take(event.dataTransfer?.files)
        }}
      >
        <legend class="hidden">Upload files</legend>
        <p>Drop files here, or</p>
        <button type="button" class="main" onClick={() => input.current?.click()}>
          Choose files
        </button>
        <input
          ref={input}
          class="hidden"
          type="file"
          multiple
          aria-label="Files to upload"
          tabIndex={-1}
          onChange={event => {
            void take(event.currentTarget.files)
            // The same file again is a change as well.
            event.currentTarget.value = ''
          }}
        />
      </fieldset>
      {uploads.map(each => (
        <UploadLine
          key={each.id}
          upload={each}
          dismiss={() => setUploads(before => before.filter(({ id }) => id !== each.id))}
        />
      ))}
    </>
  )
}

function UploadLine({ upload: { name, done, total, fault }, dismiss }: { upload: Upload; dismiss(): void }) {
  if (fault !== undefined) {
    return (
      <section class="error" role="alert">
        <h2>{name} was not uploaded</h2>
        <p>{fault}</p>
        <div class="line">
          <button type="button" onClick={dismiss}>
            Dismiss
          </button>
        </div>
      </section>
    )
  }
  return (
    <div class="panel">
      <UploadBar {...{ name, done, total }} />
    </div>
  )
}
