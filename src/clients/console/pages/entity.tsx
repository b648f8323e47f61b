// To be written.
import { Page } from '../parts/page.tsx'

export function EntityPage() {
  return <Page title="EntityPage">To come.</Page>
}
