// To be written.
import { Page } from '../parts/page.tsx'

export function History() {
  return <Page title="History">To come.</Page>
}
