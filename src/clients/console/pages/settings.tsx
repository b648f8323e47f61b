// To be written.
import { Page } from '../parts/page.tsx'

export function Settings() {
  return <Page title="Settings">To come.</Page>
}
