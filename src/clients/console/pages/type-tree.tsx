// To be written.
import { Page } from '../parts/page.tsx'

export function Types() {
  return <Page title="Types">To come.</Page>
}
