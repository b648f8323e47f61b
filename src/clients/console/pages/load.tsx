// To be written.
import { Page } from '../parts/page.tsx'

export function Load() {
  return <Page title="Load">To come.</Page>
}
