// To be written.
import { Page } from '../parts/page.tsx'

export function Home() {
  return <Page title="Home">To come.</Page>
}
