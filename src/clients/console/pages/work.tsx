// To be written.
import { Page } from '../parts/page.tsx'

export function Work() {
  return <Page title="Work">To come.</Page>
}
