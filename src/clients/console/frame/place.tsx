// A place in the navigation; the one that is open carries the thread.
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { HOME, to } from '../state/address.ts'

interface PlaceProps {
  href: string
  class?: string
  children: ComponentChildren
}

/** Places that have others below them that are places themselves. */
const ROOTS: readonly string[] = [HOME, to.operator]

export function Place({ href, class: look = 'place', children }: PlaceProps) {
  const { path } = useLocation()
  const target = href.replace(/\/$/, '')
  const isHere = path === target || (!ROOTS.includes(target) && path.startsWith(`${target}/`))
  return (
    <a class={look} href={href} {...(isHere && { 'aria-current': 'page' as const })}>
      {children}
    </a>
  )
}
