// To be written.
import { Page } from '../parts/page.tsx'

export function Run() {
  return <Page title="Run">To come.</Page>
}
