// Where a page breaks: what failed and the way on, instead of nothing. Another address tries anew.
import { Component, type ComponentChildren } from 'preact'
import { to } from '../state/address.ts'
import { words } from '../state/fault-words.ts'

export function Failed({ error }: { error: unknown }) {
  return (
    <section class="error" role="alert">
      <h1>This page failed</h1>
      <p>{words(error).what}</p>
      <p class="soft">
        Nothing was written by that. Reload: there may be a newer console. If it stays, tell the operator what you did.
      </p>
      <div class="line">
        <button type="button" class="main" onClick={() => location.reload()}>
          Reload
        </button>
        <a class="button" href={to.home}>
          Go to Home
        </a>
      </div>
    </section>
  )
}

interface BoundaryProps {
  /** The address. */
  at: string
  children: ComponentChildren
}

interface Caught {
  at: string
  error: unknown
}

export class Boundary extends Component<BoundaryProps, { caught?: Caught }> {
  override componentDidCatch(error: unknown): void {
    this.setState({ caught: { at: this.props.at, error } })
  }

  override render() {
    const { at, children } = this.props
    const { caught } = this.state
    return caught?.at === at ? <Failed error={caught.error} /> : children
  }
}
