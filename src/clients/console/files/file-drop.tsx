// Where files are dropped: each is uploaded with a bar of its own, large ones in parts.
import { useRef, useState } from 'preact/hooks'
import { DropArea } from '../components/drop-area.tsx'
import { type Sending, UploadBar } from '../components/upload-bar.tsx'
import { words } from '../state/fault-words.ts'
import { client } from '../state/session.ts'
import { tell, tellFault } from '../state/toasts.ts'
import { useIsHere } from '../state/use-is-here.ts'

interface Upload extends Sending {
  id: number
  fault?: string
}

export function FileDrop({ done }: { done(): void }) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
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
  const take = async (files: File[]) => {
    // One after the other: each sends several parts at once already.
    for (const file of files) await upload(file)
  }
  return (
    <>
      <DropArea
        title="Upload files"
        prompt="Drop files here, or"
        button="Choose files"
        isMain
        label="Files to upload"
        multiple
        take={files => void take(files)}
      />
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
