// Asks before a file is deleted, which nobody can take back.
import { ApiError } from '../../typescript/index.ts'
import { Confirm } from '../components/dialog.tsx'
import { client } from '../state/session.ts'
import { tell, tellFault } from '../state/toasts.ts'

interface DeleteFileProps {
  id: string
  fileName: string
  close(): void
  done(): void
}

export function DeleteFile({ id, fileName, close, done }: DeleteFileProps) {
  const run = async () => {
    try {
      await client.entities.delete({ entityName: 'file', id })
      tell(`Deleted ${fileName}.`)
      done()
    } catch (error) {
      const isUsed = error instanceof ApiError && error.code === 'in_use'
      tellFault(isUsed ? 'It is still needed. Cancel the load, or wait for it' : 'The file was not deleted', error)
    }
  }
  return (
    <Confirm title={`Delete ${fileName}?`} act="Delete the file" close={close} run={run}>
      <p>Its content goes at once, and cannot be brought back.</p>
    </Confirm>
  )
}
