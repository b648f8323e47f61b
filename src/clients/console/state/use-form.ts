// Sending a form: what was wrong stands beside it, and what was typed stays.
import { useState } from 'preact/hooks'
import { words } from './fault-words.ts'

export function useForm(send: () => Promise<void>) {
  const [fault, setFault] = useState('')
  const submit = async () => {
    setFault('')
    try {
      await send()
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return {
    fault,
    onSubmit: (event: Event) => {
      event.preventDefault()
      void submit()
    },
  }
}
