// To be written.
import { Page } from '../parts/page.tsx'

export function TypePage() {
  return <Page title="TypePage">To come.</Page>
}
