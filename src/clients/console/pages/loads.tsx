// To be written.
import { Page } from '../parts/page.tsx'

export function Loads() {
  return <Page title="Loads">To come.</Page>
}
