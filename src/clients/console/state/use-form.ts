// Sending a form, once at a time: what was wrong stands beside it, and what was typed stays.
import { useState } from 'preact/hooks'
import { words } from './fault-words.ts'
import { useOnce } from './use-once.ts'

export function useForm(send: () => Promise<void>) {
  const [fault, setFault] = useState('')
  const { isBusy, start } = useOnce(async () => {
    setFault('')
    try {
      await send()
    } catch (error) {
      setFault(words(error).what)
    }
  })
  return {
    fault,
    isBusy,
    onSubmit: (event: Event) => {
      event.preventDefault()
      void start()
    },
  }
}
