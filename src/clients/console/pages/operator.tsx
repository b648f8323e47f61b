// To be written.
import { Page } from '../parts/page.tsx'

export function OperatorPage() {
  return <Page title="OperatorPage">To come.</Page>
}
