// To be written.
import { Page } from '../parts/page.tsx'

export function NewLoad() {
  return <Page title="NewLoad">To come.</Page>
}
