// Nothing here yet: what this is for, and what to do next.
import type { ComponentChildren } from 'preact'

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
